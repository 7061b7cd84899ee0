#![expect(clippy::panic, reason = "a failed case is named")]

use campanile_corpus::Document;

use crate::{Finding, IngestOptions, Reading, read_bytes};

fn read(source: &[u8]) -> (Document, Vec<Finding>) {
    match read_bytes("dates/term.ics", source, &IngestOptions::default()) {
        Ok(Reading { mut documents, findings, .. }) => (documents.remove(0), findings),
        Err(error) => panic!("{error}"),
    }
}

/// The text under its month of a calendar with one event.
fn event(properties: &str) -> String {
    let source =
        format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\n{properties}\nEND:VEVENT\nEND:VCALENDAR\n");
    read(source.as_bytes()).0.text.replace("\n\n", " | ")
}

/// Cases: what each shows, the properties of an event, its sentence under its month.
const EVENTS: &[(&str, &str, &str)] = &[
    (
        "all there is",
        "SUMMARY:Registration\\, exams\nDTSTART;TZID=Europe/Berlin:20261012T090000\n\
         DTEND;TZID=Europe/Berlin:20261012T110000\nLOCATION:HS 1\\nMain building\n\
         CATEGORIES:Exams,Dates\nORGANIZER;CN=\"Exams Office\":mailto:exams@x.edu\n\
         DESCRIPTION:Bring your card.\\n\\nAnd a pen.",
        "October 2026 | Registration, exams: Monday, 12 October 2026, 09:00 to 11:00 \
         (Europe/Berlin); place: HS 1, Main building; category: Exams, Dates; organiser: \
         Exams Office (exams@x.edu)\nBring your card.\nAnd a pen.",
    ),
    (
        "UTC",
        "SUMMARY:A\nDTSTART:20261012T090000Z",
        "October 2026 | A: Monday, 12 October 2026, 09:00 (UTC)",
    ),
    (
        "no zone",
        "SUMMARY:A\nDTSTART:20261012T0900\nDURATION:PT1H30M",
        "October 2026 | A: Monday, 12 October 2026, 09:00 to 10:30",
    ),
    (
        "a day",
        "SUMMARY:A\nDTSTART;VALUE=DATE:20261012\nDTEND;VALUE=DATE:20261013",
        "October 2026 | A: Monday, 12 October 2026",
    ),
    (
        "days, the last one included",
        "SUMMARY:Break\nDTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20270107",
        "December 2026 | Break: Thursday, 24 December 2026 to Wednesday, 6 January 2027",
    ),
    (
        "days by duration",
        "SUMMARY:A\nDTSTART;VALUE=DATE:20240228\nDURATION:P3D",
        "February 2024 | A: Wednesday, 28 February 2024 to Friday, 1 March 2024",
    ),
    (
        "over midnight",
        "SUMMARY:A\nDTSTART:20261012T2200\nDTEND:20261013T0200",
        "October 2026 | A: Monday, 12 October 2026, 22:00 to Tuesday, 13 October 2026, 02:00",
    ),
    (
        "an end before the start",
        "SUMMARY:A\nDTSTART:20261012T0900\nDTEND:20261011T0900",
        "October 2026 | A: Monday, 12 October 2026, 09:00",
    ),
    (
        "a zone with a path",
        "SUMMARY:A\nDTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20261012T0900",
        "October 2026 | A: Monday, 12 October 2026, 09:00 (Europe/Berlin)",
    ),
    (
        "a zone of Windows",
        "SUMMARY:A\nDTSTART;TZID=\"W. Europe Standard Time\":20261012T0900",
        "October 2026 | A: Monday, 12 October 2026, 09:00 (W. Europe Standard Time)",
    ),
    ("no date", "SUMMARY:A\nLOCATION:Here", "Without a date | A; place: Here"),
    ("no such day", "SUMMARY:A\nDTSTART:20260231", "Without a date | A"),
    (
        "no summary",
        "DTSTART:20261012\nDESCRIPTION:Open day\\nCome!",
        "October 2026 | Open day: Monday, 12 October 2026\nOpen day\nCome!",
    ),
    (
        "tentative",
        "SUMMARY:A\nSTATUS:TENTATIVE\nDTSTART:20261012",
        "October 2026 | A: Monday, 12 October 2026 (tentative)",
    ),
    (
        "HTML",
        "SUMMARY:A\nDTSTART:20261012\nDESCRIPTION:<p>See <b>this</b></p>",
        "October 2026 | A: Monday, 12 October 2026\nSee this",
    ),
    (
        "weekly",
        "SUMMARY:Lecture\nDTSTART;TZID=Europe/Berlin:20261012T100000\nDTEND;TZID=Europe/Berlin:20261012T120000\n\
         RRULE:FREQ=WEEKLY;UNTIL=20270205T000000Z\nEXDATE;TZID=Europe/Berlin:20261228T100000,20270104T100000",
        "October 2026 | Lecture: first on Monday, 12 October 2026, 10:00 to 12:00 (Europe/Berlin), every Monday \
         until Friday, 5 February 2027, except 28 December 2026 and 4 January 2027",
    ),
    (
        "every second week, counted",
        "SUMMARY:A\nDTSTART:20261012\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=3",
        "October 2026 | A: first on Monday, 12 October 2026, every second week on Monday and Wednesday, 3 times, the last on Monday, 26 October 2026",
    ),
    // The two rules of RFC 5545, 3.8.5.3, that differ in where a week begins alone.
    (
        "weeks from Monday",
        "SUMMARY:A\nDTSTART:19970805\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
        "August 1997 | A: first on Tuesday, 5 August 1997, every second week on Tuesday and Sunday, 4 times, the last on Sunday, 24 August 1997",
    ),
    (
        "weeks from Sunday",
        "SUMMARY:A\nDTSTART:19970805\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
        "August 1997 | A: first on Tuesday, 5 August 1997, every second week on Tuesday and Sunday, 4 times, the last on Sunday, 31 August 1997",
    ),
    (
        "daily",
        "SUMMARY:A\nDTSTART:20261012\nRRULE:FREQ=DAILY;INTERVAL=3;COUNT=2",
        "October 2026 | A: first on Monday, 12 October 2026, every 3 days, 2 times, the last on Thursday, 15 October 2026",
    ),
    (
        "monthly",
        "SUMMARY:A\nDTSTART:20261013\nRRULE:FREQ=MONTHLY;BYDAY=2TU",
        "October 2026 | A: first on Tuesday, 13 October 2026, every month on the second Tuesday",
    ),
    (
        "the last workday",
        "SUMMARY:A\nDTSTART:20261030\nRRULE:FREQ=MONTHLY;BYDAY=-1FR",
        "October 2026 | A: first on Friday, 30 October 2026, every month on the last Friday",
    ),
    (
        "monthly by position",
        "SUMMARY:A\nDTSTART:20261001\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1",
        "October 2026 | A: first on Thursday, 1 October 2026, every month on the first Monday or Tuesday",
    ),
    (
        "monthly by two positions",
        "SUMMARY:A\nDTSTART:20261003\nRRULE:FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1,-1",
        "October 2026 | A: first on Saturday, 3 October 2026, every month on the first and the last Saturday or Sunday",
    ),
    (
        "until the midnight that ends a day",
        "SUMMARY:A\nDTSTART;TZID=Europe/Berlin:20261006T090000\nDURATION:PT1H\nRRULE:FREQ=MONTHLY;BYDAY=1TU;UNTIL=20270630T220000Z",
        "October 2026 | A: first on Tuesday, 6 October 2026, 09:00 to 10:00 (Europe/Berlin), every month on the first Tuesday until Wednesday, 30 June 2027",
    ),
    (
        "monthly by day",
        "SUMMARY:A\nDTSTART:20261015\nRRULE:FREQ=MONTHLY;BYMONTHDAY=15,-1",
        "October 2026 | A: first on Thursday, 15 October 2026, every month on day 15 and the last day",
    ),
    (
        "yearly",
        "SUMMARY:A\nDTSTART:20261012\nRRULE:FREQ=YEARLY",
        "October 2026 | A: first on Monday, 12 October 2026, every year on 12 October",
    ),
    (
        "a rule that is too much",
        "SUMMARY:A\nDTSTART:20261012\nRRULE:FREQ=YEARLY;BYWEEKNO=20",
        "October 2026 | A: first on Monday, 12 October 2026, every year on 12 October (rule: BYWEEKNO=20)",
    ),
    (
        "more dates",
        "SUMMARY:A\nDTSTART:20261012\nRDATE:20261020,20261015\nRDATE:20261020",
        "October 2026 | A: first on Monday, 12 October 2026, also on 15 October 2026 and 20 October 2026",
    ),
    (
        "a day of the month that is a Friday",
        "SUMMARY:A\nDTSTART:20261113\nRRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
        "November 2026 | A: first on Friday, 13 November 2026, on each Friday that is the 13th",
    ),
    (
        "the first Monday by its days",
        "SUMMARY:A\nDTSTART:20261005\nRRULE:FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=1,2,3,4,5,6,7",
        "October 2026 | A: first on Monday, 5 October 2026, every month on the first Monday",
    ),
    (
        "the last Friday by its days",
        "SUMMARY:A\nDTSTART:20261030\nRRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=-1,-2,-3,-4,-5,-6,-7",
        "October 2026 | A: first on Friday, 30 October 2026, every month on the last Friday",
    ),
    (
        "the last working day",
        "SUMMARY:A\nDTSTART:20261030\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYMONTHDAY=-1,-2,-3;BYSETPOS=-1",
        "October 2026 | A: first on Friday, 30 October 2026, every month on the last working day (Monday to Friday)",
    ),
    (
        "a day of the year among others",
        "SUMMARY:A\nDTSTART:20261103\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
        "November 2026 | A: first on Tuesday, 3 November 2026, every year on each Tuesday from the 2nd to the 8th in November",
    ),
    (
        "certain days, whatever the month",
        "SUMMARY:A\nDTSTART:20261101\nRRULE:FREQ=DAILY;BYMONTHDAY=1,15",
        "November 2026 | A: first on Sunday, 1 November 2026, every month on day 1 and day 15",
    ),
    (
        "an end in UTC that is the evening before",
        "SUMMARY:A\nDTSTART;TZID=America/New_York:20260910T160000\nRRULE:FREQ=WEEKLY;UNTIL=20261210T045959Z;BYDAY=TH",
        "September 2026 | A: first on Thursday, 10 September 2026, 16:00 (America/New_York), every Thursday until Wednesday, 9 December 2026",
    ),
    (
        "an end in UTC that is the day after",
        "SUMMARY:A\nDTSTART;TZID=Europe/Berlin:20261103T003000\nRRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261214T233000Z",
        "November 2026 | A: first on Tuesday, 3 November 2026, 00:30 (Europe/Berlin), every Tuesday until Tuesday, 15 December 2026",
    ),
    (
        "an end on a day, before the time of the series",
        "SUMMARY:A\nDTSTART;TZID=Asia/Tokyo:20261102T100000\nRRULE:FREQ=DAILY;UNTIL=20261109T000000Z",
        "November 2026 | A: first on Monday, 2 November 2026, 10:00 (Asia/Tokyo), every day until Sunday, 8 November 2026",
    ),
    (
        "an end as a date",
        "SUMMARY:A\nDTSTART;TZID=Asia/Tokyo:20261102T100000\nRRULE:FREQ=DAILY;UNTIL=20261109",
        "November 2026 | A: first on Monday, 2 November 2026, 10:00 (Asia/Tokyo), every day until Monday, 9 November 2026",
    ),
    (
        "an end in another zone",
        "SUMMARY:A\nDTSTART;TZID=Europe/Berlin:20270404T090000\nDTEND;TZID=America/New_York:20270404T120000",
        "April 2027 | A: Sunday, 4 April 2027, 09:00 (Europe/Berlin) to 12:00 (America/New_York)",
    ),
    (
        "an end in another zone, where the clock shows less",
        "SUMMARY:A\nDTSTART;TZID=Europe/Berlin:20270407T160000\nDTEND;TZID=America/New_York:20270407T113000",
        "April 2027 | A: Wednesday, 7 April 2027, 16:00 (Europe/Berlin) to 11:30 (America/New_York)",
    ),
    (
        "an end in UTC",
        "SUMMARY:A\nDTSTART;TZID=Europe/Berlin:20270407T160000\nDTEND:20270407T153000Z",
        "April 2027 | A: Wednesday, 7 April 2027, 16:00 to 17:30 (Europe/Berlin)",
    ),
    (
        "a night flight, week by week",
        "SUMMARY:A\nDTSTART;TZID=America/New_York:20270404T220000\nDTEND;TZID=Europe/Berlin:20270405T113000\nRRULE:FREQ=WEEKLY",
        "April 2027 | A: first on Sunday, 4 April 2027, 22:00 (America/New_York) to 11:30 (Europe/Berlin), every Sunday",
    ),
    (
        "further dates with their own times",
        "SUMMARY:A\nDTSTART;TZID=Europe/Berlin:20261102T080000\nDTEND;TZID=Europe/Berlin:20261102T100000\n\
         RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261104T130000/20261104T150000,20261106T170000/PT1H,20261109T080000/PT2H",
        "November 2026 | A: first on Monday, 2 November 2026, 08:00 to 10:00 (Europe/Berlin), also on 4 November 2026, 13:00 to 15:00, \
         6 November 2026, 17:00 to 18:00 and 9 November 2026",
    ),
    (
        "further dates at another time, in UTC",
        "SUMMARY:A\nDTSTART;TZID=Europe/Berlin:20261020T160000\nDTEND;TZID=Europe/Berlin:20261020T170000\nRDATE:20261103T150000Z,20261124T170000Z",
        "October 2026 | A: first on Tuesday, 20 October 2026, 16:00 to 17:00 (Europe/Berlin), also on 3 November 2026 and 24 November 2026, 18:00 to 19:00",
    ),
    (
        "whole days of Outlook",
        "SUMMARY:A\nDTSTART;TZID=W. Europe Standard Time:20270301T000000\nDTEND;TZID=W. Europe Standard Time:20270304T000000\n\
         X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
        "March 2027 | A: Monday, 1 March 2027 to Wednesday, 3 March 2027",
    ),
    (
        "a whole day without a mark",
        "SUMMARY:A\nDTSTART:20270603T000000\nDTEND:20270604T000000",
        "June 2027 | A: Thursday, 3 June 2027",
    ),
    (
        "an event that begins at midnight",
        "SUMMARY:A\nDTSTART:20270603T000000\nDTEND:20270603T020000",
        "June 2027 | A: Thursday, 3 June 2027, 00:00 to 02:00",
    ),
    (
        "HTML with lines",
        "SUMMARY:A\nDTSTART:20261012\nDESCRIPTION:Room: B 204<br>Fee: EUR 5<ul><li>A mug</li><li>Tea &amp\\; cake</li></ul>",
        "October 2026 | A: Monday, 12 October 2026\nRoom: B 204\nFee: EUR 5\nA mug\nTea & cake",
    ),
    (
        "a text in HTML alone",
        "SUMMARY:A\nDTSTART:20261012\nX-ALT-DESC;FMTTYPE=text/html:<p>Bring two forms</p><ul><li>Form A</li></ul>",
        "October 2026 | A: Monday, 12 October 2026\nBring two forms\nForm A",
    ),
    (
        "a text in HTML beside a plain one",
        "SUMMARY:A\nDTSTART:20261012\nX-ALT-DESC:<p>Rich</p>\nDESCRIPTION:Plain",
        "October 2026 | A: Monday, 12 October 2026\nPlain",
    ),
    (
        "lines drawn with signs",
        "SUMMARY:A\nDTSTART:20261012\nDESCRIPTION:Of sand.\\n-::~:~::~:~::-\\nJoin here\\n__________\\n--\\n",
        "October 2026 | A: Monday, 12 October 2026\nOf sand.\nJoin here\n--",
    ),
    (
        "a series of several whole days",
        "SUMMARY:A\nDTSTART;VALUE=DATE:20261012\nDTEND;VALUE=DATE:20261014\nRRULE:FREQ=WEEKLY;COUNT=2",
        "October 2026 | A: first on Monday, 12 October 2026 to Tuesday, 13 October 2026, every Monday, 2 times, the last on Monday, 19 October 2026",
    ),
    (
        "a series over weekends",
        "SUMMARY:A\nDTSTART:20261009T180000\nDTEND:20261011T140000\nRRULE:FREQ=WEEKLY;COUNT=2",
        "October 2026 | A: first on Friday, 9 October 2026, 18:00 to Sunday, 11 October 2026, 14:00, every Friday, 2 times, the last on Friday, 16 October 2026",
    ),
    (
        "a series of nights",
        "SUMMARY:A\nDTSTART:20261009T220000\nDTEND:20261010T020000\nRRULE:FREQ=WEEKLY;COUNT=2",
        "October 2026 | A: first on Friday, 9 October 2026, 22:00 to 02:00, every Friday, 2 times, the last on Friday, 16 October 2026",
    ),
    (
        "the last day, as all days of the week",
        "SUMMARY:A\nDTSTART;VALUE=DATE:20261031\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-1",
        "October 2026 | A: first on Saturday, 31 October 2026, every month on the last day",
    ),
    (
        "a day counted from the beginning of the year",
        "SUMMARY:A\nDTSTART;VALUE=DATE:20260518\nRRULE:FREQ=YEARLY;BYDAY=20MO",
        "May 2026 | A: first on Monday, 18 May 2026, every year on the 20th Monday of the year",
    ),
    (
        "days counted from the end of the year",
        "SUMMARY:A\nDTSTART;VALUE=DATE:20260518\nRRULE:FREQ=YEARLY;BYDAY=-3MO",
        "May 2026 | A: first on Monday, 18 May 2026, every year on the 3rd to last Monday of the year",
    ),
    (
        "an alarm inside",
        "SUMMARY:A\nDTSTART:20261012\nBEGIN:VALARM\nDESCRIPTION:Ring\nEND:VALARM\nLOCATION:Here",
        "October 2026 | A: Monday, 12 October 2026; place: Here",
    ),
    (
        "folded",
        "SUMMARY:Re\r\n gistra\r\n\ttion\r\nDTSTART:20261012\r\n",
        "October 2026 | Registration: Monday, 12 October 2026",
    ),
    (
        "lines that are none",
        "SUMMARY:A\nnonsense\n:x\nX;=:y\nDTSTART;TZID=\"Europe:20261012",
        "October 2026 | A: Monday, 12 October 2026",
    ),
];

#[test]
fn events_become_sentences() {
    for (name, properties, expected) in EVENTS {
        assert_eq!(event(properties), *expected, "{name}");
    }
}

#[test]
fn a_calendar_is_read_in_the_order_of_its_dates() {
    let (document, findings) = read(
        b"BEGIN:VCALENDAR\r\nX-WR-CALNAME:Dates of the term\r\nX-WR-CALDESC:All of them.\r\n\
          X-WR-TIMEZONE:Europe/Berlin\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nEND:VTIMEZONE\r\n\
          BEGIN:VEVENT\r\nSUMMARY:Later\r\nDTSTART:20261102\r\nURL:https://x.edu/later\r\nEND:VEVENT\r\n\
          BEGIN:VTODO\r\nSUMMARY:Hand in\r\nDUE:20261101T120000Z\r\nEND:VTODO\r\n\
          BEGIN:VEVENT\r\nSUMMARY:Off\r\nSTATUS:CANCELLED\r\nDTSTART:20261102\r\nEND:VEVENT\r\n\
          BEGIN:VEVENT\r\nSUMMARY:Mine\r\nCLASS:PRIVATE\r\nDTSTART:20261102\r\nEND:VEVENT\r\n\
          BEGIN:VEVENT\r\nSUMMARY:Sooner\r\nDTSTART:20261012\r\nURL:javascript:x\r\n",
    );
    assert_eq!(
        document.text,
        "All of them.\n\nOctober 2026\n\nSooner: Monday, 12 October 2026\n\nNovember 2026\n\n\
         Hand in: due Sunday, 1 November 2026, 13:00 (Europe/Berlin)\nLater: Monday, 2 November 2026"
    );
    assert_eq!(document.title, "Dates of the term");
    assert_eq!(document.metadata.get("time zone"), Some(&serde_json::json!("Europe/Berlin")));
    let links: Vec<_> = document
        .links
        .iter()
        .map(|link| (link.span.slice(&document.text), link.target.as_str()))
        .collect();
    assert_eq!(links, [(Some("Later"), "https://x.edu/later")]);
    let messages: Vec<_> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert!(
        messages
            .iter()
            .any(|message| message.ends_with("left out 1 event (cancelled), such as \"Off\"")),
        "{messages:?}"
    );
    assert!(
        messages.iter().any(|message| message.contains("(marked as private), such as \"Mine\"")),
        "{messages:?}"
    );
}

#[test]
fn changes_of_a_series_are_told() {
    let (document, findings) = read(
        b"BEGIN:VEVENT\nUID:1\nSUMMARY:Lecture\nDTSTART:20261012T1000\nRRULE:FREQ=WEEKLY;COUNT=4\nEND:VEVENT\n\
          BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20261019T1000\nSUMMARY:Lecture\nDTSTART:20261020T1400\nLOCATION:HS 2\n\
          BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20261026T1000\nSTATUS:CANCELLED\nSUMMARY:Lecture\nDTSTART:20261026T1000\nEND:VEVENT\n",
    );
    assert_eq!(
        document.text,
        "October 2026\n\nLecture: first on Monday, 12 October 2026, 10:00, every Monday, 4 times, the last on Monday, \
         2 November 2026, except 26 October 2026; 19 October 2026 moved to Tuesday, 20 October 2026, 14:00\n\
         Lecture: Tuesday, 20 October 2026, 14:00 (instead of Monday, 19 October 2026); place: HS 2"
    );
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn a_change_of_all_that_follows_parts_the_series() {
    let (document, _) = read(
        b"BEGIN:VEVENT\nUID:1\nSUMMARY:Class\nDTSTART;TZID=Europe/Berlin:20261019T140000\nDURATION:PT1H30M\n\
          RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=14\nLOCATION:B 204\nEXDATE;TZID=Europe/Berlin:20261026T140000,20261228T140000\nEND:VEVENT\n\
          BEGIN:VEVENT\nUID:1\nSUMMARY:Class\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261130T140000\n\
          DTSTART;TZID=Europe/Berlin:20261130T160000\nDURATION:PT1H30M\nLOCATION:HS 3\nEND:VEVENT\n\
          BEGIN:VEVENT\nUID:1\nSUMMARY:Class\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270104T140000\n\
          DTSTART;TZID=Europe/Berlin:20270105T160000\nDURATION:PT1H30M\nLOCATION:HS 4\nEND:VEVENT\n",
    );
    let lines: Vec<&str> = document.text.lines().filter(|line| line.starts_with("Class")).collect();
    assert_eq!(
        lines,
        [
            "Class: first on Monday, 19 October 2026, 14:00 to 15:30 (Europe/Berlin), every Monday until Monday, 23 November 2026 \
             (October 2026 and November 2026), except 26 October 2026; place: B 204",
            "Class: from Monday, 30 November 2026 on, 16:00 to 17:30 (Europe/Berlin), every Monday until Monday, 28 December 2026 \
             (November 2026 and December 2026), except 28 December 2026; place: HS 3",
            "Class: from Tuesday, 5 January 2027 on, 16:00 to 17:30 (Europe/Berlin), every Tuesday until Tuesday, 19 January 2027 \
             (January 2027); place: HS 4",
        ]
    );
    let (ended, _) = read(
        b"BEGIN:VEVENT\nUID:1\nSUMMARY:Class\nDTSTART:20261019T140000\nRRULE:FREQ=WEEKLY\nEND:VEVENT\n\
          BEGIN:VEVENT\nUID:1\nSUMMARY:Class\nSTATUS:CANCELLED\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261130T140000\nDTSTART:20261130T140000\n",
    );
    assert!(
        ended.text.ends_with(
            "every Monday until Monday, 23 November 2026 (October 2026 and November 2026)"
        ),
        "{}",
        ended.text
    );
}

#[test]
fn times_in_utc_are_shown_in_the_zone_of_the_calendar() {
    let event = |head: &str, event: &str| {
        let source = format!(
            "BEGIN:VCALENDAR\n{head}\nBEGIN:VEVENT\nSUMMARY:A\n{event}\nEND:VEVENT\nEND:VCALENDAR\n"
        );
        let text = read(source.as_bytes()).0.text;
        text.lines().last().unwrap_or_default().to_owned()
    };
    let lab = "DTSTART:20261215T033000Z\nDTEND:20261215T050000Z";
    let new_york =
        "A: Monday, 14 December 2026, 22:30 to Tuesday, 15 December 2026, 00:00 (America/New_York)";
    assert_eq!(event("X-WR-TIMEZONE:America/New_York", lab), new_york);
    assert_eq!(event("TIMEZONE-ID:America/New_York", lab), new_york);
    let utc = "A: Tuesday, 15 December 2026, 03:30 to 05:00 (UTC)";
    assert_eq!(event("X-WR-TIMEZONE:Nowhere/Town", lab), utc);
    assert_eq!(event("X-WR-CALNAME:Boats", lab), utc);
    // A zone that the file describes: summer time from the last Sunday of March to that of October.
    let own = "BEGIN:VTIMEZONE\nTZID:Campus Time\nBEGIN:STANDARD\nDTSTART:16011028T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\n\
               RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\nBEGIN:DAYLIGHT\nDTSTART:16010325T020000\nTZOFFSETFROM:+0100\n\
               TZOFFSETTO:+0200\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE";
    assert_eq!(
        event(own, "DTSTART:20261215T233000Z"),
        "A: Wednesday, 16 December 2026, 00:30 (Campus Time)"
    );
    assert_eq!(
        event(own, "DTSTART:20260615T223000Z"),
        "A: Tuesday, 16 June 2026, 00:30 (Campus Time)"
    );
    // Whole days, seen from Berlin.
    assert_eq!(
        event("X-WR-TIMEZONE:Europe/Berlin", "DTSTART:20270602T220000Z\nDTEND:20270603T220000Z"),
        "A: Thursday, 3 June 2027"
    );
    // The local time of a series changes with summer time.
    assert_eq!(
        event("X-WR-TIMEZONE:America/New_York", &format!("{lab}\nRRULE:FREQ=WEEKLY;COUNT=2")),
        "A: first on Tuesday, 15 December 2026, 03:30 to 05:00 (UTC), which is Monday, 14 December 2026, 22:30 (America/New_York), \
         every Tuesday, 2 times, the last on Tuesday, 22 December 2026"
    );
}

#[test]
fn bytes_are_read_as_what_they_are() {
    let folded = b"BEGIN:VEVENT\nSUMMARY:Pr\xC3\n \xBCfung\nDTSTART:20261012\nEND:VEVENT";
    assert!(read(folded).0.text.contains("Pr\u{fc}fung: Monday"), "folded within a character");
    let wide: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain("BEGIN:VEVENT\nSUMMARY:A\n B\nEND:VEVENT".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    assert_eq!(read(&wide).0.text, "Without a date\n\nAB");
    let error = read_bytes("a.ics", b"SUMMARY:Pr\xFC\n  fung", &IngestOptions::default());
    let message = error.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("0xFC at offset 10"), "{message}");
}

/// Calendars that would keep a careless reader busy for hours.
#[test]
fn time_grows_with_the_calendar_alone() {
    let rule = "BEGIN:VEVENT\nDTSTART:20260101\nRRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1000;INTERVAL=4000000\nEND:VEVENT\n";
    let pages = [
        "BEGIN:VEVENT\n".repeat(20_000),
        "BEGIN:X\n".repeat(20_000) + &"END:Y\n".repeat(20_000),
        "X:\n".to_owned() + &" a\n".repeat(50_000),
        ";:\"".repeat(50_000),
        "BEGIN:VEVENT\nDTSTART:20260101\nRRULE:FREQ=DAILY\nEXDATE:".to_owned()
            + &"20260102,".repeat(20_000),
        rule.repeat(2_000),
        "BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20260102\nDTSTART:20260103\nEND:VEVENT\n"
            .repeat(15_000),
    ];
    for page in pages {
        let effort = campanile_test_data::effort(|| drop(read(page.as_bytes())));
        let beginning: String = page.chars().take(20).collect();
        assert!(effort.as_secs() < 20, "{beginning:?} took {effort:?}");
    }
}
