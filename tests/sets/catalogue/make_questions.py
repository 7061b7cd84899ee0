"""Writes questions.jsonl. Each line below: half | question | page | answer | a part of each evidence sentence (;;) | also (spaces).
The part is widened to the whole sentence of the page, and its heading looked up."""
import json, os, re
HERE = os.path.dirname(os.path.abspath(__file__)); D = os.path.join(HERE, "documents")
UG66 = " ".join(sorted("programs/" + f for f in os.listdir(D + "/programs") if "as in every bachelor's degree" in open(f"{D}/programs/{f}").read()))
Q = """
g|How many credits may I transfer?|transfer-credit|66 toward a bachelor's degree, 9 toward a master's, 24 toward a doctorate, 3 toward a certificate, half of a minor|may count at most 66 transferred;;at most 9, and a doctoral|
g|whats the max of transfer credits a bachelors degree can have, any major|transfer-credit|66 credits|may count at most 66 transferred|UG66
g|what grade do my old classes need so averill takes them over|transfer-credit|C or better for undergraduate courses, B or better for graduate courses|Undergraduate courses transfer with a grade|
g|how long til I hear back which of my courses from my old college were accepted|transfer-credit|within 25 working days of receiving the transcript|within 25 working days|
g|how many credits can i get before i absolutely have to pick a major|academic-advising|before 50 credits have been earned|before they have earned 50 credits|
g|What average keeps me off probation?|academic-standing|2.00 for undergraduates, 3.00 for graduate students|cumulative grade point average of at least 2.00;;at least 3.00|
g|i got suspended because of my grades. how long do i have to stay away|academic-standing|two regular semesters|stays away for two regular semesters|
g|im on probation, how many credits can i sign up for|academic-standing|no more than 13 for undergraduates|more than 13 credits|
g|gpa for deans list??|academic-standing|3.60 or better with 12 or more graded credits and no incomplete|who earn 3.60 or better|
g|Is there a deadline for changing my adviser?|changing-program-or-adviser|no, at any time of the year|no deadline for changing an adviser|
g|I want to switch to a different major next semester, when does the form have to be in?|changing-program-or-adviser|by the Friday of the eighth week|Friday of the eighth week|
g|my advisor is retiring, who will be responsible for me now|changing-program-or-adviser|the department names an interim adviser within 30 days|names an interim adviser|
g|can i go from my masters into a phd here without applying again|changing-program-or-adviser|no, the student must apply for admission like anyone else|is never a change of program|
g|how many semesters can I be away in total if I take leave more than once|leave-of-absence|four semesters for undergraduates, two for graduate students|Over the whole course of study|
g|until when can i ask for a leave of absense this semester|leave-of-absence|the tenth day of classes of the first semester of the leave (medical leave: up to the last day of classes)|no later than the tenth day of classes|
g|taking a break right now - by what date do i tell them im back for fall|leave-of-absence|July 1|by July 1 for a fall semester|
g|how many credits can be pass fail|grading|up to 14 credits for undergraduates, one course a semester; none for graduate students|up to 14 credits on a pass/fail|
g|prof gave me an unfair grade and won't budge, how long do i have to file a written complaint|grading|within 20 working days after the start of the next regular semester|within 20 working days after the start|
g|How much time do I get to finish an incomplete?|incomplete-grades|undergraduates until the end of the sixth week of the next regular semester, graduate students until the last day of classes of it|until the end of the sixth week of the next;;last day of classes of that semester|
g|what does an I turn into if i never turn in the rest of the work|incomplete-grades|the fallback grade of the agreement, or else an F|replaces the I with the fallback grade|
g|last day to get out of a class with just a W|withdrawal|the Friday of the eleventh week|up to the Friday of the eleventh week|
g|how many Ws can you have total|withdrawal|six for undergraduates|allowed six W marks|
g|i was really sick last year and failed everything, can that whole semester be erased afterwards?|withdrawal|yes, by a petition for retroactive withdrawal with medical records up to twelve months after the semester|petition for retroactive withdrawal may|
g|when do i need to apply if i want to graduate in May|graduation-application|by February 10|closes on September 20|
g|how much does it cost to apply for graduation|graduation-application|$60 for each degree and $20 for each certificate|costs $60 for each degree|
g|can i walk in commencement if im still one class short|graduation-application|yes, an undergraduate who lacks no more than six credits|lacks no more than six credits|
g|how many of my last credits have to be taken at Averill itself for a bachelor's|residency-requirement|at least 32 of the last 45|At least 32 of the last 45|
g|grad student here, when is the plan of study due|academic-advising|by the end of the second semester|files a plan of study with the Graduate School|
g|How many people sit on a dissertation committee?|thesis-submission|five, one of them from outside the department|a dissertation by a committee of five|
g|how long before the defense does my committee need to have the whole text|thesis-submission|at least 21 days before|at least 21 days before the defense|
g|can i keep my thesis hidden from the public for a while bc of a patent|thesis-submission|yes, for up to two years, renewable once|closed to readers for up to two years|
g|first time caught plagiarizing, what will they do to me|academic-integrity|usually a zero on the work and a four-hour online workshop|For a first violation the usual sanction|
g|am i allowed to use chatgpt in my essays|academic-integrity|only where the instructor has allowed it in writing, and it must be marked|made by a generative tool|
g|how much tuition do i get back if i drop a course in week 3|fees-and-refunds|60 percent|60 percent until the end of the fourth week|
g|i have 3 finals on the same day, can one be moved|exams-and-attendance|yes, by a request to the instructor of the middle one by the end of the twelfth week|three finals on one calendar day;;instructor of the middle examination|
g|how many credits can i double dip between two majors|double-majors-and-minors|no more than 12|No more than 12 credits may be counted toward both|
g|How many minors can one person do?|double-majors-and-minors|up to two|up to two minors|
g|undergrad here with a C in a class, can I retake it to get a better grade|course-repeats|no, grades of C or better cannot be raised by repeating|Grades of C or better cannot be raised|
g|what gpa lets me take more than 18 credits|registration-and-course-load|3.25 or better, for up to 21 credits|An overload of up to 21|
g|how many years do i have to finish a master's or a phd|time-limits|six years for a master's, nine for a doctorate|within six years and a doctoral degree within nine|
n|How many credits does the M.S. in Computer Science need?|computer-science-ms|30|complete 30 credits|
n|what gpa do i need for the history phd|history-phd|at least 3.40|undergraduate average of 3.40|
n|when is the application due for the bio masters|biology-ms|March 15|due on March 15|
n|do i need the GRE for the linguistics phd|linguistics-phd|yes, scores from the last five years|GRE scores|
n|how many credits is the math minor|mathematics-minor|16|complete 16 credits|
n|can i still change my adviser in the cs masters|computer-science-ms|once, before 18 credits have been earned|Changing adviser is possible once|
n|how many credits from another univ does the physics masters accept|physics-ms|none|No credit from other schools|
n|How many clinical hours are in the nursing bachelor's?|nursing-bs|720 hours over five semesters|720 hours|
n|foreign languages for a doctorate in history - how many|history-phd|two|two foreign languages|
n|how much calculus do they want in the econ BS|economics-bs|three semesters, and one of linear algebra|three semesters of calculus|
n|Do English Ph.D. students have to teach?|english-phd|yes, composition for four semesters|teach composition for four semesters|
n|how often does my whole commitee meet with me in the psych phd|psychology-phd|every May|The whole committee meets|
n|how many years of funding come with the chem phd|chemistry-phd|three|support for three years|
n|already a student here, what average gets me into the comp sci bachelors|computer-science-bs|2.25|2.25|
n|stats certificate - do i need math before i apply|statistics-certificate|yes, a course in calculus and one in linear algebra|one in linear algebra|
n|Deadline for the Ph.D. in Anthropology?|anthropology-phd|December 10|December 10|
n|how many hours of field placement for the social work master's|social-work-ms|900 hours over four semesters|900 hours|
n|lowest grade that still counts for a physics minor|physics-minor|B-|B- or better|
n|how many of my english BA major credits can come from community college|english-ba|15|15 transferred credits|
n|time limit geography masters|geography-ma|five years|within five years|
n|who runs graduate studies for the philosophy MA|philosophy-ma|Dr. Henrik Bascombe|Dr. Henrik Bascombe|
n|does mech eng make you pass a shop test for the bachelors and when|mechanical-engineering-bs|yes, before the third year|machine shop test|
n|how many prelim exams are there in the math phd and until when|mathematics-phd|three, by the end of the fifth semester|three preliminary examinations|
n|how long should the writing sample be for english m.a.|english-ma|12 to 15 pages|12 to 15 pages|
n|can I keep my day job and do the data science masters|data-science-ms|yes, classes meet on weekday evenings after 5:30|weekday evenings after 5:30|
n|When do poli sci PhD students take the candidacy exam?|political-science-phd|by the end of the fourth semester|candidacy|
n|audition dates music BA|music-ba|the first Saturday of February and the last Saturday of March|audition days are|
n|toefl score for chemistry ms|chemistry-ms|100|TOEFL score of 100|
n|does an internship count toward a psychology minor|psychology-minor|no|Internship credits do not count|
n|how many credits do i need before i can declare the geography minor|geography-minor|45, with an average of 2.50|45 credits have been earned|
n|total credits mechanical engineering doctorate|mechanical-engineering-phd|63 after the bachelor's degree|63 credits after|
n|How many thesis credits are there in the civil engineering M.S.?|civil-engineering-ms|4|thesis|
n|credits for the dissertation in the econ phd|economics-phd|24|dissertation research makes up 24|
n|got an incomplete in chem 590 in my chemistry masters how long to fix it|chemistry-ms|four weeks|incomplete in CHEM 590|
n|is the public health certificate online and how long does it take|public-health-certificate|two semesters, online or in the classroom|completed in two semesters|
n|how many Ws are allowed in the core for the CS BS|computer-science-bs|two|W marks|
n|how many rec letters for the masters in statistics|statistics-ms|two|letters|
n|failed 2 nursing classes in the BS, am i out?|nursing-bs|yes, the student leaves the program|fails two nursing courses|
n|does the Biology B.S. require going to the field station in summer|biology-bs|yes, one summer course of at least four credits|Tolland Bay|
n|how long is the reading list for the comps in the spanish masters|spanish-ma|60 titles|reading list of 60|
"""
def sentences(text):
    """-> [(heading, sentence)]"""
    out, h = [], ""
    for l in text.splitlines():
        if l.startswith("#"): h = l.lstrip("# ").strip()
        elif l.strip():
            out += [(h, s) for s in re.split(r"(?<!\.[A-Z]\.)(?<!Dr\.)(?<=[.?!]) (?=[A-Z])", l.strip())]
    return out
rows = []
for i, l in enumerate(Q.strip().splitlines(), 1):
    half, q, page, ans, ev, also = l.split("|")
    page = ("rules/" if half == "g" else "programs/") + page + ".md"
    ss = sentences(open(f"{D}/{page}").read()); E = []; H = ""
    for e in ev.split(";;"):
        hit = [(h, s) for h, s in ss if e in s]
        if len(hit) != 1: print("evidence", i, page, repr(e), len(hit), hit); continue
        E.append(hit[0][1]); H = H or hit[0][0]
    rows.append(dict(id=f"c{i:02d}", question=q, half={"g": "general", "n": "named"}[half], page=page,
                     also=(UG66 if also == "UG66" else also).split(), heading=H, answer=ans, evidence=E))
with open(HERE + "/questions.jsonl", "w") as f:
    for r in rows: f.write(json.dumps(r, ensure_ascii=False) + "\n")
print(len(rows), "questions")
