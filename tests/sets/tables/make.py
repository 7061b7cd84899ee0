"""Writes the DOCX, XLSX and PDF documents of this folder (the others are written by hand).

    pip install python-docx openpyxl reportlab;  python3 make.py
"""
import pathlib

HERE = pathlib.Path(__file__).parent

# name: (heading, sentences before, rows with the header first, sentences after)
TABLES = {
    "fees.docx": (
        "Tuition by programme and term",
        "These are the fees of Quellmoor University for the coming academic year. "
        "The laboratory surcharge is added once a year to the autumn bill.",
        [["Programme", "Autumn term", "Spring term", "Summer school", "Laboratory surcharge"],
         ["BSc Biology", "EUR 1,480", "EUR 1,460", "EUR 620", "EUR 95"],
         ["BSc Chemistry", "EUR 1,530", "EUR 1,510", "EUR 640", "EUR 140"],
         ["BSc Nursing", "EUR 1,240", "EUR 1,225", "EUR 480", "EUR 60"],
         ["BA History", "EUR 1,120", "EUR 1,105", "EUR 410", "none"],
         ["BA Modern Languages", "EUR 1,160", "EUR 1,150", "EUR 455", "none"],
         ["LLB Law", "EUR 1,390", "EUR 1,375", "EUR 505", "none"],
         ["MSc Coastal Engineering", "EUR 2,350", "EUR 2,310", "EUR 890", "EUR 175"],
         ["MSc Data Science", "EUR 2,480", "EUR 2,450", "EUR 930", "EUR 40"],
         ["MA Museum Studies", "EUR 1,760", "EUR 1,730", "EUR 680", "EUR 25"],
         ["PhD, all faculties", "EUR 310", "EUR 290", "not charged", "by agreement"]],
        "Students who pay in two parts are charged nothing extra."),
    "scholarships.docx": (
        "Scholarships and bursaries",
        "Quellmoor University and its friends support students with the awards listed here. "
        "Applications go to the awards committee, which meets once a month.",
        [["Award", "Amount", "Who may apply", "Deadline", "Papers to send"],
         ["Lantern Scholarship", "EUR 4,000 a year", "first-year students", "15 May", "school certificate and letter"],
         ["Weaver Bursary", "EUR 1,500 once", "parents with a child under ten", "30 June", "birth certificate of the child"],
         ["Tidewater Grant", "EUR 900 a month", "master's students of engineering", "1 April",
          "transcript and two references"],
         ["Miller Travel Award", "EUR 650 once", "students going on exchange", "10 November",
          "letter of the host university"],
         ["Stonecrop Prize", "EUR 2,000 once", "authors of a bachelor's thesis", "20 January", "copy of the thesis"],
         ["Second Start Bursary", "EUR 250 a month", "students aged 30 or over", "31 August", "curriculum vitae"],
         ["Orchard Fund", "up to EUR 800", "students in sudden hardship", "open all year",
          "bank statements of three months"],
         ["Vane Music Scholarship", "EUR 1,100 a year", "members of the university orchestra", "5 October",
          "recording of ten minutes"],
         ["Doctoral Completion Grant", "EUR 1,350 a month", "doctoral candidates in their last six months",
          "28 February", "statement of the supervisor"]],
        "Nobody can hold two monthly awards at the same time."),
    "modules.xlsx": (
        "Modules of the Master of Coastal Engineering",
        "Quellmoor University, Faculty of Engineering. The list holds for students who began in the last two years.",
        [["Code", "Module", "Credits", "Lecturer", "Term", "Form of exam", "Language"],
         ["CE501", "Wave Mechanics", 7.5, "Prof. Hugo Wend", "autumn", "written, 180 minutes", "English"],
         ["CE502", "Sediment Transport", 6, "Dr Orla Venning", "autumn", "oral, 30 minutes", "English"],
         ["CE503", "Tidal Rivers", 5, "Dr Paul Ettering", "spring", "oral, 20 minutes", "Danish"],
         ["CE504", "Harbour Design", 9, "Prof. Ines Brakow", "spring", "design project", "English"],
         ["CE505", "Soil Mechanics of Dikes", 6, "Dr Kofi Amblethorpe", "autumn", "written, 120 minutes", "German"],
         ["CE506", "Numerical Flow Models", 7.5, "Dr Yusra Calden", "spring", "programming portfolio", "English"],
         ["CE507", "Coastal Ecology", 4, "Dr Lene Marstrand", "summer", "field report", "Danish"],
         ["CE508", "Offshore Foundations", 6, "Prof. Tobias Harkel", "spring", "written, 150 minutes", "English"],
         ["CE509", "Flood Risk and Insurance", 3, "Dr Mina Sotero", "autumn", "term paper", "English"],
         ["CE510", "Surveying at Sea", 5, "Dr Lene Marstrand", "summer", "practical test on board", "English"],
         ["CE511", "Law of the Coast", 3, "Dr Ruben Aldercote", "spring", "take-home exam, 48 hours", "German"],
         ["CE512", "Dredging Practice", 4, "Prof. Ines Brakow", "autumn", "oral, 25 minutes", "English"],
         ["CE513", "Climate and Sea Level", 5, "Dr Mina Sotero", "spring", "poster and defence", "English"],
         ["CE514", "Materials in Salt Water", 4, "Dr Kofi Amblethorpe", "autumn", "laboratory journal", "English"],
         ["CE590", "Master's Thesis", 30, "any professor of the faculty", "every term", "thesis and colloquium",
          "English or German"]],
        "The faculty may move a module to another term if fewer than six students sign up."),
    "equipment.xlsx": (
        "Shared instruments of the Faculty of Science",
        "Quellmoor University. Ask the person named before you book; the charge is for users from inside the university.",
        [["Inventory no.", "Instrument", "Room", "Training needed", "Ask", "Charge per hour"],
         ["SI-014", "Scanning electron microscope", "Foundry 0.07", "two-day course", "Dr Petra Hollin", "EUR 35"],
         ["SI-021", "Confocal microscope", "Foundry 0.09", "half-day course", "Dr Emeka Strand", "EUR 22"],
         ["SI-027", "X-ray diffractometer", "Weir Building 0.15", "radiation safety certificate", "Dr Jonas Feldby",
          "EUR 28"],
         ["SI-030", "Mass spectrometer", "Weir Building 1.30", "three supervised runs", "Dr Talia Moorcroft", "EUR 31"],
         ["SI-033", "Ultracentrifuge", "Foundry 1.02", "rotor briefing", "Ms Carla Winst", "EUR 9"],
         ["SI-038", "Laser cutter", "Workshop 4", "laser safety briefing", "Mr Anton Greve", "EUR 14"],
         ["SI-041", "3D printer", "Workshop 2", "none", "Mr Ole Brandis", "EUR 4"],
         ["SI-045", "Glovebox", "Weir Building 1.22", "one-hour introduction", "Dr Sunniva Pell", "EUR 12"],
         ["SI-052", "Climate chamber", "Mill House, cellar", "online quiz", "Ms Bettina Rooke", "EUR 6"],
         ["SI-056", "Thermal camera", "Workshop 1", "ten-minute demonstration", "Mr Faris Nolde", "EUR 3"],
         ["SI-060", "NMR spectrometer", "Weir Building 0.02", "magnet safety course", "Dr Ilse Garrow", "EUR 40"]],
        "Bookings that are not used are charged in full."),
    "shuttle.pdf": (
        "Shuttle bus timetable",
        "The Quellmoor University shuttle runs from Monday to Friday in term. Times are departures; "
        "at the last stop they are arrivals.",
        [["Stop", "Early run", "Morning run", "Midday run", "Evening run", "Night run"],
         ["Central Station", "6:40", "8:10", "12:15", "17:30", "22:05"],
         ["Market Bridge", "6:46", "8:17", "12:21", "17:38", "22:10"],
         ["Chapel Wing", "6:51", "8:23", "12:26", "17:44", "22:14"],
         ["Grand Hall", "6:54", "8:27", "12:29", "17:48", "22:17"],
         ["Weir Building", "6:58", "8:32", "12:33", "17:53", "22:20"],
         ["Foundry", "7:03", "8:38", "12:38", "17:59", "22:24"],
         ["Sports Hall", "7:07", "8:43", "12:42", "18:04", "no stop"],
         ["Willow Street residence", "7:12", "8:49", "12:47", "18:10", "22:29"],
         ["Harbour Campus", "7:20", "8:58", "12:55", "18:19", "22:36"]],
        "Bicycles are carried only if there is room."),
}


def write_docx(path, heading, before, rows, after):
    import docx
    document = docx.Document()
    document.add_heading(heading, level=1)
    document.add_paragraph(before)
    table = document.add_table(rows=len(rows), cols=len(rows[0]))
    table.style = "Table Grid"
    for row, cells in zip(table.rows, rows):
        for cell, text in zip(row.cells, cells):
            cell.text = str(text)
    document.add_paragraph(after)
    document.save(path)


def write_xlsx(path, heading, before, rows, after):
    import openpyxl
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = heading.split()[0]
    sheet.append([heading])
    sheet.append([before])
    sheet.append([])
    for row in rows:
        sheet.append(row)
    sheet.append([])
    sheet.append([after])
    book.save(path)


def share_strings(path):
    """Moves the strings into xl/sharedStrings.xml, as Excel saves them (openpyxl leaves them in the cells)."""
    import re
    import zipfile
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name).decode() for name in book.namelist()}
    strings = []

    def share(match):
        if match[2] not in strings:
            strings.append(match[2])
        return f'<c {match[1]}t="s"><v>{strings.index(match[2])}</v></c>'

    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet], count = re.subn(r'<c ([^>]*?)t="inlineStr"><is><t>(.*?)</t></is></c>', share, parts[sheet])
    parts["xl/sharedStrings.xml"] = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="{count}" '
        f'uniqueCount="{len(strings)}">' + "".join(f"<si><t>{s}</t></si>" for s in strings) + "</sst>")
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(
        "</Types>", f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>')
    link = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    parts["xl/_rels/workbook.xml.rels"] = parts["xl/_rels/workbook.xml.rels"].replace(
        "</Relationships>", f'<Relationship Id="rIdStrings" Type="{link}" Target="sharedStrings.xml"/></Relationships>')
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name, text)


def write_pdf(path, heading, before, rows, after):
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle
    styles = getSampleStyleSheet()
    table = Table(rows, repeatRows=1)
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
                               ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"),
                               ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke)]))
    SimpleDocTemplate(str(path), pagesize=A4, title=heading).build(
        [Paragraph(heading, styles["Heading1"]), Paragraph(before, styles["BodyText"]), Spacer(1, 12), table,
         Spacer(1, 12), Paragraph(after, styles["BodyText"])])


if __name__ == "__main__":
    for name, parts in TABLES.items():
        {".docx": write_docx, ".xlsx": write_xlsx, ".pdf": write_pdf}[pathlib.Path(name).suffix](HERE / name, *parts)
        if name == "equipment.xlsx":
            share_strings(HERE / name)
        print("wrote", name)
