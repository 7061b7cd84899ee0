"""Writes documents/programs/*.md from per-subject facts and several wordings per section.
Deterministic: the same script writes the same pages. Also writes facts.tsv (for the question writer; not a document)."""
import os, random, shutil
HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "documents", "programs")

# key | name | building | undergraduate room | graduate room | what it is about | undergraduate core (;) | graduate core (;) | areas (;) | degrees
SUBJ = """
computer-science|Computer Science|Harrow Hall|112|318|how information is stored, moved and turned into decisions|CS 110 Programming I;CS 220 Data Structures;CS 310 Operating Systems;CS 340 Algorithms|CS 510 Advanced Algorithms;CS 525 Computer Architecture;CS 540 Programming Languages|systems;machine learning;human-computer interaction|bs ms phd minor
data-science|Data Science|Harrow Hall|130|344|the whole path from raw measurements to a defensible conclusion|DS 101 Working with Data;DS 210 Databases;STAT 240 Inference;DS 380 Data Ethics|DS 500 Data Pipelines;DS 520 Statistical Learning;DS 560 Communicating Results|health data;business analytics;text mining|bs ms cert
biology|Biology|Fenwick Laboratories|20|241|living things from the cell to the watershed|BIOL 121 Cells;BIOL 122 Organisms;BIOL 230 Genetics;BIOL 310 Evolution|BIOL 501 Research Methods;BIOL 530 Advanced Ecology;BIOL 545 Molecular Biology|ecology;cell biology;plant science|ba bs ms phd minor
chemistry|Chemistry|Fenwick Laboratories|65|270|matter, its structure, and the changes it goes through|CHEM 131 General Chemistry;CHEM 241 Organic Chemistry;CHEM 330 Physical Chemistry;CHEM 350 Instrumental Analysis|CHEM 510 Mechanisms;CHEM 530 Spectroscopy;CHEM 550 Thermodynamics|organic;analytical;materials chemistry|bs ms phd
physics|Physics|Orrin Science Center|104|311|the laws behind matter, light and motion|PHYS 151 Mechanics;PHYS 152 Electricity and Magnetism;PHYS 310 Quantum Physics;PHYS 330 Thermal Physics|PHYS 501 Classical Mechanics;PHYS 520 Quantum Theory;PHYS 540 Electrodynamics|astrophysics;condensed matter;optics|bs ms phd minor
mathematics|Mathematics|Orrin Science Center|205|418|pattern, proof and the language of the sciences|MATH 141 Calculus I;MATH 142 Calculus II;MATH 250 Linear Algebra;MATH 330 Real Analysis|MATH 511 Algebra;MATH 521 Measure Theory;MATH 541 Topology|algebra;analysis;applied mathematics|ba bs ms phd minor
statistics|Statistics|Orrin Science Center|230|436|drawing sound conclusions from uncertain evidence|STAT 201 Probability;STAT 240 Inference;STAT 320 Regression;STAT 360 Sampling|STAT 501 Theory of Statistics;STAT 520 Linear Models;STAT 550 Bayesian Methods|biostatistics;survey methods;computational statistics|bs ms cert minor
history|History|Calloway Hall|14|302|the past and the ways in which people have made sense of it|HIST 105 World History;HIST 210 The Historian's Craft;HIST 330 Empires;HIST 400 Senior Seminar|HIST 500 Historiography;HIST 520 Archives and Sources;HIST 580 Research Seminar|Atlantic world;modern Europe;environmental history|ba ma phd minor
english|English|Calloway Hall|48|330|literature, language and the craft of writing|ENGL 201 Reading Closely;ENGL 240 British Literature;ENGL 250 American Literature;ENGL 390 Criticism|ENGL 500 Research and Theory;ENGL 530 Early Texts;ENGL 560 The Novel|creative writing;medieval literature;rhetoric|ba ma phd minor
philosophy|Philosophy|Calloway Hall|71|355|arguments about knowledge, value and what there is|PHIL 110 Logic;PHIL 220 Ancient Philosophy;PHIL 230 Modern Philosophy;PHIL 340 Ethics|PHIL 501 Proseminar;PHIL 520 Metaphysics;PHIL 540 Moral Theory|ethics;philosophy of science;logic|ba ma minor
linguistics|Linguistics|Calloway Hall|90|378|how languages are built, learned, and changed|LING 101 Language;LING 210 Phonetics;LING 320 Syntax;LING 340 Field Methods|LING 510 Phonology;LING 520 Syntactic Theory;LING 540 Language Change|phonetics;documentation of languages;computational linguistics|ba ma phd cert
spanish|Spanish|Moreland House|6|22|the languages and cultures of the Spanish-speaking world|SPAN 301 Composition;SPAN 320 Phonetics;SPAN 340 Latin American Cultures;SPAN 350 Peninsular Literature|SPAN 500 Critical Methods;SPAN 530 Colonial Texts;SPAN 560 Contemporary Fiction|literature;translation;applied language study|ba ma minor
psychology|Psychology|Birchard Hall|115|402|mind, brain and behavior|PSYC 101 Introduction;PSYC 210 Statistics for Psychology;PSYC 310 Cognition;PSYC 330 Development|PSYC 501 Research Design;PSYC 520 Advanced Cognition;PSYC 540 Psychopathology|clinical science;cognition;development|ba bs ms phd minor
sociology|Sociology|Birchard Hall|140|427|groups, institutions and inequality|SOC 101 Society;SOC 220 Theory;SOC 230 Methods;SOC 350 Inequality|SOC 501 Classical Theory;SOC 520 Survey Research;SOC 540 Fieldwork|work;migration;family|ba ma minor
anthropology|Anthropology|Birchard Hall|163|451|human life across places and across time|ANTH 110 Peoples;ANTH 120 Human Origins;ANTH 240 Archaeology;ANTH 360 Ethnography|ANTH 500 History of Theory;ANTH 520 Field Methods;ANTH 550 Material Culture|archaeology;medical anthropology;museum studies|ba ma phd
political-science|Political Science|Stannard Hall|33|210|power, government and the making of policy|POLS 110 Government;POLS 220 World Politics;POLS 250 Political Thought;POLS 310 Methods|POLS 501 Scope and Methods;POLS 530 Institutions;POLS 560 International Order|comparative politics;public policy;political theory|ba ma phd
economics|Economics|Stannard Hall|58|236|choices under scarcity and the markets that come out of them|ECON 201 Microeconomics;ECON 202 Macroeconomics;ECON 301 Intermediate Theory;ECON 320 Econometrics|ECON 510 Micro Theory;ECON 520 Macro Theory;ECON 530 Econometrics|labor;development;public finance|ba bs ma phd
geography|Geography|Ridgely Building|7|109|places, landscapes and the maps we make of them|GEOG 110 Landforms;GEOG 120 Human Geography;GEOG 260 Mapping;GEOG 370 Remote Sensing|GEOG 500 Geographic Thought;GEOG 520 Spatial Analysis;GEOG 560 Urban Form|mapping;climate;cities|ba ma minor
environmental-science|Environmental Science|Ridgely Building|25|131|air, water, soil and what people do to them|ENVS 120 Earth Systems;ENVS 230 Soils;ENVS 330 Water Quality;ENVS 410 Impact Assessment|ENVS 510 Systems Modeling;ENVS 530 Contaminants;ENVS 550 Policy and Law|water;restoration;air quality|bs ms cert
civil-engineering|Civil Engineering|Tarrant Engineering Complex|C12|C240|structures, water works, roads and the ground under them|CE 210 Statics;CE 220 Surveying;CE 330 Structures;CE 350 Hydraulics|CE 510 Advanced Structures;CE 530 Geotechnics;CE 550 Transport Systems|structures;water resources;transportation|bs ms phd
mechanical-engineering|Mechanical Engineering|Tarrant Engineering Complex|M15|M266|machines, heat, materials and motion|ME 205 Dynamics;ME 230 Materials;ME 320 Fluid Mechanics;ME 340 Heat Transfer|ME 510 Continuum Mechanics;ME 530 Controls;ME 550 Advanced Heat Transfer|robotics;energy;manufacturing|bs ms phd
nursing|Nursing|Ashby Health Pavilion|150|260|the care of people in sickness and in health|NURS 210 Health Assessment;NURS 250 Pharmacology;NURS 320 Adult Care;NURS 410 Community Care|NURS 510 Advanced Assessment;NURS 530 Pathophysiology;NURS 560 Leading Teams|family practice;nurse education;critical care|bs ms cert
public-health|Public Health|Ashby Health Pavilion|172|288|keeping whole communities well|PUBH 110 Community Health;PUBH 220 Epidemiology;PUBH 330 Health Systems;PUBH 400 Field Experience|PUBH 510 Epidemiology;PUBH 520 Biostatistics;PUBH 540 Health Policy|epidemiology;rural health;health communication|bs ms cert
social-work|Social Work|Birchard Hall|188|470|helping people and changing the conditions they live in|SOWK 110 Helping Professions;SOWK 230 Human Behavior;SOWK 340 Practice I;SOWK 350 Practice II|SOWK 510 Advanced Practice;SOWK 530 Policy;SOWK 550 Evaluation|child welfare;aging;community practice|ba ms cert
music|Music|Delafield Recital Hall|3|41|making, hearing and understanding music|MUS 111 Theory I;MUS 112 Theory II;MUS 230 Music History;MUS 310 Conducting|MUS 500 Bibliography;MUS 520 Analysis;MUS 560 Performance Practice|performance;theory;music education|ba ma minor
"""
# one or two own facts a programme: section letter (O A D V G T) and a sentence
OWN = """
computer-science-bs|D|The senior year ends with a two-semester team project, CS 480 and CS 481, shown in public in the first week of May.
computer-science-ms|A|Applicants whose first degree is in another field take the bridge courses CS 400 and CS 401 before the second year; these six credits do not count toward the degree.
computer-science-phd|D|Each student publishes or submits two papers, one of them as first author, before the dissertation proposal.
computer-science-minor|D|CS 105 Computing for Everyone does not count toward the minor.
data-science-bs|D|A paid or unpaid internship of 160 hours is completed before the senior year.
data-science-ms|O|Classes meet on weekday evenings after 5:30 so that students may keep a full-time job.
data-science-cert|O|All of the certificate can be taken online, and courses begin in August, January and May.
biology-ba|D|Students in the B.A. take one semester of physics instead of the two that the B.S. asks for.
biology-bs|D|One summer course at the Tolland Bay field station, of at least four credits, is part of the degree.
biology-ms|A|No one is admitted until a member of the faculty has agreed in writing to act as thesis adviser.
biology-phd|D|Students rotate through three laboratories of eight weeks each in the first year.
biology-minor|D|Two of the courses must include a laboratory.
chemistry-bs|D|Safety certification is renewed every August, and without it no key to a laboratory is handed out.
chemistry-ms|A|New students sit placement tests in organic, physical and analytical chemistry two days before classes begin.
chemistry-phd|D|Cumulative examinations are offered eight times a year, and four must be passed within the first four semesters.
physics-bs|D|A research report of at least 25 pages is handed in during the final semester.
physics-ms|D|There is a coursework option without a thesis, which ends with an oral examination of 90 minutes.
physics-phd|D|Two semesters of service as an assistant in the teaching laboratories are required.
physics-minor|D|Astronomy courses numbered 200 and above may be used as electives.
mathematics-ba|D|The B.A. asks for a reading knowledge of French, German or Russian, shown by two semesters of study.
mathematics-bs|D|Every student writes a senior paper in the MATH 490 seminar.
mathematics-ms|D|Two written examinations, one in algebra and one in analysis, take the place of a thesis.
mathematics-phd|D|Students pass three preliminary examinations by the end of the fifth semester.
mathematics-minor|D|Calculus I and Calculus II may be counted, but precalculus may not.
statistics-bs|D|Students learn two programming languages, one of which is R.
statistics-ms|D|A consulting practicum of 120 hours in the Data Clinic is required.
statistics-cert|A|A course in calculus and one in linear algebra must have been passed before admission.
statistics-minor|A|Majors in data science may not take this minor.
history-ba|D|Students complete a foreign language through the fourth semester.
history-ma|D|A reading examination in one foreign language is passed before the thesis is begun.
history-phd|D|Reading examinations in two foreign languages are passed before candidacy.
history-minor|D|At least one course must deal with a period before 1800.
english-ba|D|One course on Shakespeare is required.
english-ma|A|A critical writing sample of 12 to 15 pages is the most important part of the application.
english-phd|D|Students teach composition for four semesters, after a training week in August.
english-minor|D|Journalism courses may fill up to three credits.
philosophy-ba|D|A senior essay of 6,000 words is defended before two faculty members.
philosophy-ma|D|Students without a course in formal logic pass the logic examination by the end of the first year.
philosophy-minor|D|One course in ethics and one in the history of philosophy must be among them.
linguistics-ba|D|Students study a language from outside Europe for at least two semesters.
linguistics-ma|D|Instead of a thesis a student may hand in two qualifying papers of publishable length.
linguistics-phd|D|Each student spends at least ten weeks in field work with speakers of a little-described language, or builds a corpus of like size.
linguistics-cert|O|The certificate is in teaching English to speakers of other languages and includes 45 hours of observed teaching.
spanish-ba|D|A semester or a summer abroad in a Spanish-speaking country is required; the department keeps places in Valdemora and Puerto Lirio.
spanish-ma|D|The comprehensive examination rests on a reading list of 60 titles.
spanish-minor|A|Native speakers begin with SPAN 305 in place of SPAN 301.
psychology-ba|D|Each student takes part in six hours of research as a volunteer.
psychology-bs|D|Two semesters of work in a faculty laboratory, PSYC 395, are required.
psychology-ms|D|The degree does not lead to a license as a therapist.
psychology-phd|D|A supervised clinical internship of 1,800 hours is completed in the fifth or sixth year by students of clinical science.
psychology-minor|D|Internship credits do not count.
sociology-ba|D|Students choose between an honors thesis and a community project with a written report.
sociology-ma|D|The degree can be finished in one calendar year, from August to August.
sociology-minor|D|SOC 101 must be taken at Averill State.
anthropology-ba|D|A four-week field school is strongly recommended but not required.
anthropology-ma|D|Students of museum studies curate one exhibition in the Ridgely Gallery.
anthropology-phd|D|Twelve months of field work are expected, with a written research permit where the country asks for one.
political-science-ba|D|A legislative internship in the state capital can replace up to six credits of electives.
political-science-ma|D|Working officials may replace the thesis with a policy report written for their agency.
political-science-phd|D|Students are examined in a major and in two minor fields during the fourth semester.
economics-ba|D|The B.A. needs one semester of calculus.
economics-bs|D|The B.S. needs three semesters of calculus and one of linear algebra.
economics-ma|D|A replication paper, in which a published result is computed again, concludes the degree.
economics-phd|A|A two-week mathematics camp in August is compulsory for those admitted.
geography-ba|D|Students go on two weekend excursions a year and pay for them themselves.
geography-ma|D|The thesis is accompanied by a map folder of at least eight original maps.
geography-minor|D|GEOG 260 Mapping must be among the courses.
environmental-science-bs|D|The capstone is a report for a real client, usually a town or a water board.
environmental-science-ms|D|Field workers need a first-aid certificate and a boat license before the first season.
environmental-science-cert|O|The certificate is meant for staff of agencies and is taught on Saturdays.
civil-engineering-bs|D|Seniors sit the Fundamentals of Engineering examination; a pass is not required for the degree.
civil-engineering-ms|D|Three years of professional practice can be accepted in place of the project report.
civil-engineering-phd|D|A qualifying examination of two days is held every January.
mechanical-engineering-bs|D|All students pass the machine shop test before the third year.
mechanical-engineering-ms|D|Students with a thesis take 24 credits of courses; those without take 30.
mechanical-engineering-phd|D|One semester as instructor of record in an undergraduate course is required.
nursing-bs|D|Clinical placements come to 720 hours over five semesters, some of them at night.
nursing-ms|A|A valid license as a registered nurse and one year of practice are required.
nursing-cert|A|The certificate is open to nurses who already hold a master's degree.
public-health-bs|D|The field experience lasts 200 hours and is placed with a health agency.
public-health-ms|D|A practicum of 240 hours with a county or tribal health office is required.
public-health-cert|O|The certificate can be completed in two semesters, online or in the classroom.
social-work-ba|D|The field practicum comes to 420 hours in the senior year.
social-work-ms|D|Field education comes to 900 hours, spread over four semesters.
social-work-cert|A|A background check is made before the first visit to an agency.
music-ba|A|Every applicant auditions; audition days are the first Saturday of February and the last Saturday of March.
music-ma|D|A public recital of 60 minutes with program notes is given in the last semester.
music-minor|D|Up to four credits of ensemble may be counted.
computer-science-ms|V|Changing adviser is possible once, before 18 credits have been earned, on a form kept in Harrow Hall 318.
history-phd|V|A student who wants another adviser asks the director of graduate studies before the reading lists are approved.
biology-ms|V|The thesis adviser cannot be changed after the second semester except by vote of the graduate committee.
psychology-phd|V|Requests for another mentor are taken in the first two weeks of October and of March.
economics-phd|V|A dissertation adviser is confirmed by June 15 of the third year and cannot be changed after the proposal.
english-ba|V|Students may ask for another adviser at the English desk until the third week of a semester.
nursing-bs|G|A student who fails two nursing courses, the same one twice or two different ones, leaves the program.
nursing-bs|V|Changing adviser is handled once a year, in the last week of January.
civil-engineering-bs|G|CE 210 may be attempted no more than twice, withdrawals included.
computer-science-bs|G|A core course may be repeated once only, and a W in it counts as an attempt.
music-ba|G|A jury hears each student at the end of every semester, and a failed jury must be repeated within six weeks.
mathematics-phd|G|A student on leave keeps the preliminary examinations already passed for two years.
social-work-ms|G|Leave is granted only between field placements and must be requested by April 1.
public-health-ms|G|An incomplete in the practicum is to be finished within 60 days.
chemistry-ms|G|An incomplete in CHEM 590 must be made up in four weeks.
english-phd|G|The department grants no incompletes in seminars during the first year.
physics-phd|G|The dissertation draft goes to the department reader 30 days before the defense.
history-ma|G|Copies of the thesis reach the readers six weeks before the defense.
data-science-ms|G|Evening students may withdraw from a course until the ninth week with the consent of the program director.
statistics-bs|G|None of the courses in the major can be taken pass/fail.
spanish-minor|G|Courses passed abroad without a letter grade are not counted.
"""
NAMES = ["Dr. Imre Halloway","Dr. Odile Prewitt","Dr. Tomasina Reyburn","Dr. Callum Oakes","Dr. Yevgenia Strand","Dr. Bertil Norcross","Dr. Adaeze Whitcomb","Dr. Lionel Farrow","Dr. Mireille Castell","Dr. Henrik Bascombe","Dr. Priya Ledgerwood","Dr. Solveig Marchetti","Dr. Anselm Tewksbury","Dr. Rosalind Okafor-Hume","Dr. Dashiell Varga","Dr. Perpetua Lindqvist","Dr. Gideon Amory","Dr. Noriko Pell","Dr. Casimir Boothe","Dr. Eulalia Harkness","Dr. Tobias Wren","Dr. Ingeborg Sallow","Dr. Matteo Quillen","Dr. Winifred Achterberg","Dr. Osei Pemberton"]
TITLE = dict(ba="B.A.", bs="B.S.", ma="M.A.", ms="M.S.", phd="Ph.D.", cert="Graduate Certificate", minor="Minor")
FILE = dict(cert="certificate")
WORD = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}

own = {}
for l in OWN.strip().splitlines():
    k, s, t = l.split("|"); own.setdefault(k, []).append((s, t))
cycle = {}
def nxt(pool_name, pool):           # walks through a pool so that neighbours differ
    i = cycle.get(pool_name, 0); cycle[pool_name] = i + 1
    return pool[i % len(pool)]

def page(sub, deg, director, rng):
    key, name, bldg, ur, gr, about, ucore, gcore, areas, _ = sub
    ucore, gcore, areas = ucore.split(";"), gcore.split(";"), areas.split(";")
    P = rng.choice
    t = TITLE[deg]
    prog = {"minor": f"minor in {name}", "cert": f"certificate in {name}"}.get(deg, f"{t} in {name}")
    ugrad, grad, doc = deg in ("ba", "bs"), deg in ("ma", "ms"), deg == "phd"
    room = f"{bldg} {ur if ugrad or deg == 'minor' else gr}"
    S = {c: [] for c in "OADVGT"}
    f = {}
    codes = [" ".join(c.split()[:2]) for c in (ucore if ugrad or deg == "minor" else gcore)]
    # ---------- Overview
    a3 = f"{areas[0]}, {areas[1]} and {areas[2]}"
    if ugrad:
        S["O"].append(P([f"The {prog} is a four-year degree for students who want to understand {about}.",
                         f"Students in the {prog} study {about}.",
                         f"The department offers the {prog} to undergraduates drawn to {about}."]))
        S["O"].append(P([f"Graduates go on to work in the field, to professional schools and to graduate study; elective groups lead into {a3}.",
                         f"After a common core, students lean toward {a3}.",
                         f"Electives are grouped into {a3}, and no group has to be declared."]))
        if deg == "ba": S["O"].append(P(["The B.A. leaves room for a second major or for study abroad.", "The B.A. is the broader of the degrees and includes a language.", "Many students combine the B.A. with a second subject."]))
        else: S["O"].append(P(["The B.S. is the more technical degree and is the usual choice of those headed for graduate school.", "The B.S. asks for more work in mathematics and in the laboratory or the field.", "The B.S. prepares directly for employment."]))
    elif grad:
        S["O"].append(P([f"The {prog} deepens a first degree with advanced courses on {about}.",
                         f"The {prog} is meant for graduates who want to go further into {about}.",
                         f"In the {prog}, students spend about two years on {about}."]))
        S["O"].append(P([f"Areas of strength are {a3}.", f"The faculty supervises work in {a3}.", f"Students choose among {a3}, or combine two of them."]))
        S["O"].append(P(["New students begin in the fall only.", "Students may begin in the fall or in the spring.", "Part-time study is possible throughout."]))
    elif doc:
        S["O"].append(P([f"The {prog} is a research degree that ends with a dissertation on {about}.",
                         f"The {prog} trains independent scholars of {about}.",
                         f"Candidates for the {prog} carry out original research on {about}."]))
        S["O"].append(P([f"Fields of supervision are {a3}.", f"The strongest fields of the department are {a3}."]))
        f["fund"] = nxt("fund", ["four", "five", "three"])
        S["O"].append(P([f"Students who make good progress are supported for {f['fund']} years.", f"Offers of admission come with support for {f['fund']} years."]))
    elif deg == "cert":
        S["O"].append(P([f"The {prog} is a short graduate program on {about}.", f"The {prog} gives working people a compact view of {about}."]))
        S["O"].append(P([f"Courses can be chosen from {a3}.", f"It draws on the department's courses in {a3}."]))
    else:
        S["O"].append(P([f"The {prog} gives students of other subjects a view of {about}.", f"Students in any major may add the {prog} and learn about {about}."]))
        S["O"].append(P([f"Popular choices are courses on {areas[0]} and {areas[1]}.", f"Most students combine it with a subject in another college."]))
    # ---------- Admission
    if ugrad:
        f["gate"] = nxt("gate", ["2.25", "2.50", "2.00", "2.75", "2.40", "2.60", "2.30"])
        f["gaten"] = nxt("gaten", [2, 3])
        S["A"].append(P([f"Freshmen enter the major on declaring it. Students already enrolled need an average of {f['gate']} in the first {WORD[f['gaten']]} courses of the core.",
                         f"To be admitted to the major, a student has passed {codes[0]} and {codes[1]} and has an average of at least {f['gate']}.",
                         f"The major is open to students with {f['gate']} or better over {codes[0]} and {codes[1]}."]))
        if rng.random() < .6:
            f["decl"] = nxt("decl", ["October 15 and March 15", "November 1 and April 1", "September 30 and February 28", "October 1 and March 1"])
            S["A"].append(P([f"Declarations are collected twice a year, on {f['decl']}.", f"The department takes new majors on {f['decl']}."]))
        S["A"].append(P(["General admission to the university comes first.", f"Transfer students see the department in {room} before they register.", "There is no separate essay."]))
    elif grad or doc:
        f["gpa"] = nxt("gpa" + deg, ["3.20", "3.00", "3.30", "3.10", "2.90", "3.25"] if not doc else ["3.40", "3.50", "3.30", "3.25", "3.60"])
        S["A"].append(P([f"Applicants hold a bachelor's degree with a grade point average of at least {f['gpa']}.",
                         f"A bachelor's degree and an undergraduate average of {f['gpa']} or better are required.",
                         f"The usual minimum is an average of {f['gpa']} over the last 60 credits of the bachelor's degree."]))
        f["dl"] = nxt("dl" + deg, ["February 1", "January 20", "March 15", "February 20", "March 1", "April 10", "January 31"] if not doc else ["December 15", "January 5", "December 1", "January 15", "December 10"])
        S["A"].append(P([f"Applications for the fall are due on {f['dl']}.", f"The deadline for the fall is {f['dl']}.", f"The committee reads files that are complete by {f['dl']}."]))
        f["let"] = nxt("let", [3, 2])
        S["A"].append(P([f"The file includes {WORD[f['let']]} letters of recommendation and a statement of purpose.", f"A statement of purpose and {WORD[f['let']]} letters are needed."]))
        f["gre"] = nxt("gre", ["no", "opt", "req", "none"])
        if f["gre"] != "none":
            S["A"].append({"no": P(["GRE scores are not looked at.", "The GRE is not required."]), "opt": P(["GRE scores are optional.", "Applicants may send GRE scores but need not."]),
                           "req": P(["GRE scores from the last five years are required.", "The general GRE must be taken by the deadline."])}[f["gre"]])
        if rng.random() < .5:
            f["toefl"] = nxt("toefl", ["88", "92", "95", "85", "100"])
            S["A"].append(f"Applicants whose first language is not English show a TOEFL score of {f['toefl']} or higher.")
    elif deg == "cert":
        f["gpa"] = nxt("gpac", ["2.75", "3.00", "2.80", "2.60"])
        S["A"].append(P([f"A bachelor's degree with an average of {f['gpa']} is required.", f"Applicants have a first degree {'in nursing' if key == 'nursing' else 'in any field'} and an average of at least {f['gpa']}."]))
        S["A"].append(P(["Applications are read all year round.", "Applications close four weeks before classes begin.", "No letters are needed."]))
    else:
        f["gpa"] = nxt("gpam", ["2.00", "2.25", "2.10", "2.50"])
        f["after"] = nxt("after", [24, 30, 15, 45])
        S["A"].append(P([f"The minor can be declared once {f['after']} credits have been earned, with an average of {f['gpa']}.", f"Students with an average of {f['gpa']} declare the minor after their first {f['after']} credits."]))
        S["A"].append(P([f"Declare it in the portal or in {room}.", "There is no application.", "The double majors and minors rules of the university apply."]))
    # ---------- Degree requirements
    core = ", ".join(codes[:-1]) + " and " + codes[-1]
    if ugrad:
        f["major"] = nxt("major" + deg, [39, 36, 42, 33, 45] if deg == "ba" else [58, 64, 54, 70, 61, 49])
        S["D"].append(P([f"The degree takes 120 credits, of which {f['major']} are in the major.", f"Of the 120 credits needed to graduate, {f['major']} belong to the major.", f"The major consists of {f['major']} credits within a total of 120."]))
        S["D"].append(P([f"The core is made up of {', '.join(ucore[:-1])} and {ucore[-1]}.", f"Required of all are {', '.join(ucore[:-1])} and {ucore[-1]}."]))
        f["upper"] = nxt("upper", [18, 21, 24, 27])
        S["D"].append(P([f"At least {f['upper']} credits are taken at the 300 level or above.", f"Upper-level courses make up {f['upper']} credits or more."]))
        S["D"].append(P(["General education is completed as for every bachelor's degree.", "The remaining credits are general education and free electives."]))
    elif grad:
        f["cr"] = nxt("cr" + deg, [30, 33, 36, 32] if deg == "ms" else [30, 33, 31, 36])
        if key == "mechanical-engineering": f["cr"] = 30
        if key in ("nursing",): f["cr"] = 42
        if key in ("social-work",): f["cr"] = 48
        if key == "public-health": f["cr"] = 39
        f["th"] = nxt("th", [6, 4, 3])
        S["D"].append(P([f"The degree consists of {f['cr']} credits.", f"Students complete {f['cr']} credits at the 500 level or above.", f"A total of {f['cr']} credits is required."]))
        S["D"].append(P([f"The core is {', '.join(gcore[:-1])} and {gcore[-1]}.", f"All students take {', '.join(gcore[:-1])} and {gcore[-1]}."]))
        if not any(w in t2 for s2, t2 in own.get(f"{key}-{deg}", []) for w in ("replication paper", "take the place of a thesis", "with a thesis take", "recital", "comprehensive examination", "one calendar year")) and key not in ("nursing", "social-work", "public-health", "data-science"):
            S["D"].append(P([f"Up to {f['th']} of them may be thesis credits.", f"The thesis counts for {f['th']} credits."]))
        else:
            S["D"].append(P(["There is no thesis.", "The remaining credits are electives approved by the adviser."]) if "thesis take" not in str(own.get(f"{key}-{deg}")) else "Electives are approved by the adviser.")
    elif doc:
        f["cr"] = nxt("crphd", [72, 60, 66, 78, 57, 63, 75, 69])
        f["dis"] = nxt("dis", [18, 24, 15, 21, 12])
        S["D"].append(P([f"The degree takes {f['cr']} credits beyond the bachelor's degree, {f['dis']} of them for the dissertation.", f"Students earn {f['cr']} credits after the bachelor's degree; dissertation research makes up {f['dis']}."]))
        S["D"].append(P([f"The core is {', '.join(gcore[:-1])} and {gcore[-1]}.", f"First-year students take {', '.join(gcore[:-1])} and {gcore[-1]}."]))
        f["cand"] = nxt("cand", ["fifth", "sixth", "fourth", "seventh"])
        S["D"].append(P([f"The candidacy examination is taken by the end of the {f['cand']} semester.", f"Students advance to candidacy no later than the {f['cand']} semester."]))
    elif deg == "cert":
        f["cr"] = nxt("crc", [15, 12, 18, 13])
        S["D"].append(P([f"The certificate consists of {f['cr']} credits.", f"Students complete {f['cr']} credits."]))
        S["D"].append(P([f"{gcore[0]} and {gcore[1]} are required.", f"Everyone takes {gcore[0]}; the rest are electives."]))
    else:
        f["cr"] = nxt("crm", [18, 15, 20, 16, 21, 19, 17])
        S["D"].append(P([f"The minor consists of {f['cr']} credits.", f"Students complete {f['cr']} credits."]))
        S["D"].append(P([f"{ucore[0]} and {ucore[1]} are required, and at least two courses are at the 300 level.", f"It begins with {ucore[0]}; two courses at the 300 level follow."]))
    # ---------- Advising
    if ugrad:
        S["V"].append(P([f"Majors are assigned a faculty adviser when they declare; the undergraduate office is in {room}.", f"The undergraduate office, {room}, assigns an adviser to every major.", f"Each student has an adviser in the department. The list hangs outside {room}."]))
        S["V"].append(P(["Meet your adviser before registration opens.", "A hold on registration is lifted after the yearly meeting with the adviser.", f"Questions about the degree audit go to {director}.", "Advisers help with the choice of courses, with internships and with plans for after graduation."]))
        S["V"].append(P([f"{director} coordinates advising for the degree.", "Peer advisers keep hours in the afternoon.", "See the advising page of the university for what to expect."]))
    elif grad or doc:
        S["V"].append(P([f"The director of graduate studies, {director}, advises new students until they choose an adviser.", f"Each student is given a temporary adviser by the director of graduate studies, {director}.", f"An adviser is named in the letter of admission; {director} directs graduate studies."]))
        f["advby"] = nxt("advby", ["the end of the first semester", "the end of the second semester", "the middle of the second semester", "the start of the third semester"])
        S["V"].append(P([f"A permanent adviser is chosen by {f['advby']}.", f"Students settle on a permanent adviser by {f['advby']}."]))
        if not any(s2 == "V" for s2, _ in own.get(f"{key}-{deg}", [])):
            S["V"].append(P([f"Changes of adviser are recorded in {room}.", f"To change advisers, follow the rules of the university and tell the office in {room}.", "The adviser signs the plan of study.", "For a change of adviser see the graduate rules."]))
        S["V"].append(P([f"The graduate office is in {room}.", f"Forms are handed in at {room}."]))
        if doc:
            f["meet"] = nxt("meet", ["every May", "each October", "once in each semester", "every February"])
            S["V"].append(f"The whole committee meets with the student {f['meet']}.")
    else:
        S["V"].append(P([f"The office in {room} answers questions and keeps the list of approved courses.", f"Students are advised in {room}."]))
        S["V"].append(P([f"{director} advises all students of the program.", "Your adviser in the major remains responsible for the rest of your plan." if deg == "minor" else f"{director} approves electives."]))
    # ---------- Grades and progress
    if ugrad:
        f["min"] = nxt("min", ["C", "C-", "C", "B-"])
        S["G"].append(P([f"A grade of {f['min']} or better is needed in every course of the core.", f"Core courses count only with a {f['min']} or better."]))
        f["mgpa"] = nxt("mgpa", ["2.00", "2.30", "2.20", "2.00", "2.50"])
        S["G"].append(P([f"The average in the major must be {f['mgpa']} or higher at graduation.", f"Majors keep an average of {f['mgpa']} in the subject."]))
        S["G"].append(P(["Students whose average in the major falls below this for two semesters are asked to choose another major.", "A student who falls behind draws up a plan with the adviser.", "Academic standing is decided by the university, not by the department.", "Repeated courses are treated as the university rules say."]))
    elif grad or doc:
        S["G"].append(P([f"Students keep a cumulative average of {'3.00' if rng.random() < .65 else '3.20'} in the program.", "Academic standing follows the graduate rules.", f"An average below {nxt('pr', ['3.00', '3.10', '3.00', '3.25'])} leads to a warning from the department."]))
        f["c"] = nxt("c", ["No grade below B- counts in the core.", "No more than two grades of C may be counted.", "At most three credits with a grade below B are accepted.", "A second grade below B- leads to a review by the graduate committee.", "Core courses are passed with a B or better."])
        S["G"].append(f["c"])
        if doc:
            f["rev"] = nxt("rev", ["April", "May", "November", "March", "January"])
            S["G"].append(P([f"Progress is reviewed every {f['rev']}, and the student gets the result in writing.", f"The faculty reviews each student in {f['rev']}."]))
        f["time"] = nxt("time" + ("d" if doc else "m"), ["", "seven", "eight", ""] if doc else ["", "five", "", "four"])
        if f["time"]: S["G"].append(P([f"The degree is to be completed within {f['time']} years.", f"Students finish within {f['time']} years of starting."]))
        else: S["G"].append(P(["Time limits are those of the university.", "The usual time limits apply; see the graduate rules.", ""]))
    elif deg == "cert":
        S["G"].append(P(["All courses are passed with a B- or better.", "An average of 3.00 is needed at the end.", "Each course must be passed with a B or better."]))
        f["time"] = nxt("timec", ["", "two"])
        if f["time"]: S["G"].append(f"Students finish within {f['time']} years.")
        S["G"].append(P(["Incompletes and repeats follow the rules of the university.", "Standing is reviewed once a year."]))
    else:
        f["min"] = nxt("minm", ["C", "C-", "B-"])
        S["G"].append(P([f"Each course is passed with a {f['min']} or better.", f"Only courses with a grade of {f['min']} or better are counted."]))
        S["G"].append(P(["Grading follows the general rules.", "Courses taken pass/fail cannot be used.", "The minor is noted on the transcript when the degree is awarded."]))
    # ---------- Transfer credit: differs / restates / refers / omits
    kind = nxt("tk" + ("u" if ugrad else "d" if doc else "g" if grad else deg), ["differs", "refers", "differs", "restates", "differs", "omits"])
    f["tk"] = kind
    T = S["T"]
    if ugrad:
        if kind == "differs":
            f["tr"] = nxt("tru", [24, 18, 30, 21, 27, 15])
            T.append(P([f"Of the credits in the major, no more than {f['tr']} may be transferred.", f"The department accepts up to {f['tr']} transferred credits toward the major."]))
            T.append(P(["A lower limit than that of the university is set because the upper-level courses build on each other.", "Courses of the core are accepted only with a syllabus.", "Courses at the 400 level are taken here."]))
        elif kind == "restates":
            T.append(P([f"Up to 66 transferred credits count toward the {t}, as in every bachelor's degree.", f"Courses brought into the {t} need a grade of C or better."]))
            T.append("The department decides which of them replace courses of the major.")
        elif kind == "refers":
            T.append(P(["Transfer of credit is governed by the university rules; the department only judges whether the content is equivalent.", "See the transfer credit page of the university. Bring a syllabus for each course."]))
        else:
            T.append(f"Ask in {room} which courses from other schools replace courses of the core. A table of courses from nearby colleges is kept there.")
    elif grad:
        if kind == "differs":
            f["tr"] = nxt("trg", [6, 3, 0, 4])
            T.append(P([f"No more than {f['tr']} credits may be transferred into the degree.", f"The program accepts at most {f['tr']} transferred credits."]) if f["tr"] else "No credit from other schools is accepted toward this degree.")
            T.append(P(["This is stricter than the rule of the university.", "The graduate committee decides, normally within a month.", "Core courses are always taken here."]) if f["tr"] else "This is stricter than the rule of the university.")
        elif kind == "restates":
            T.append(f"Up to 9 credits of graduate work may be brought into the {t} with grades of B or better.")
            T.append("Requests go to the director of graduate studies in the first semester.")
        elif kind == "refers":
            T.append(P(["See the graduate rules on transfer credit.", "The program follows the rules of the university on transfer credit and adds nothing to them."]))
        else:
            T.append("Students who took graduate courses elsewhere speak with the director before the first registration. Courses taken here before admission are a separate matter and are not transfer credit.")
    elif doc:
        if kind == "differs":
            f["tr"] = nxt("trd", [12, 18, 15, 9, 21])
            T.append(P([f"The program accepts no more than {f['tr']} credits from another graduate school.", f"Students who hold a master's degree may transfer up to {f['tr']} credits."]))
            T.append(P(["Dissertation credits are never transferred.", "The graduate committee looks at each course by itself."]))
        elif kind == "restates":
            T.append("A master's degree from elsewhere can bring in up to 24 credits, the maximum under the graduate rules for this degree.")
            T.append(P(["Decisions are made in the first year.", "Grades below B are not accepted."]))
        elif kind == "refers":
            T.append(P(["The graduate rules on transfer credit apply without change.", "For transfer credit see the graduate rules."]))
        else:
            T.append("The committee takes earlier graduate work into account when it plans the courses of the first year.")
    elif deg == "cert":
        if kind in ("differs", "omits"): T.append("No transferred credits are accepted in the certificate.")
        elif kind == "refers": T.append("The rules of the university on transfer credit apply.")
        else: T.append("Up to 3 credits may be transferred into the certificate.")
    else:
        if kind == "differs":
            f["tr"] = nxt("trm", [6, 4, 3, 7]); T.append(P([f"At most {f['tr']} credits of the minor may be transferred.", f"No more than {f['tr']} credits from another school count toward the minor."]))
        elif kind == "restates": T.append("No more than half of the minor may come from another school.")
        elif kind == "refers": T.append("Transfer credit follows the general rules; the department checks the content.")
        else: T.append("Bring syllabi of courses taken elsewhere to the office.")
    for s2, t2 in own.get(f"{key}-{deg}", []): S[s2].append(t2)
    # ---------- lookalikes: what the general rules also speak of, with this programme's own (stricter) numbers or a reference
    if ugrad:
        for _ in range(2):
            S["G"].append(nxt("lku", [
                f"Incompletes in core courses are made up within {P(['four weeks', 'three weeks', '30 days'])} of the next semester.",
                f"No more than {P(['two', 'three'])} W marks are allowed in the core.",
                f"Students who plan to be away for a semester tell {director} before they ask for leave.",
                f"Those about to graduate hand a checklist to {room} by {P(['September 5 or January 25', 'September 10 or January 30', 'August 30 or January 20'])}.",
                "Complaints about a grade are first heard by the associate chair.",
                f"A second major may share no more than {P(['nine', 'six', 'eight'])} credits with this one.",
                f"Majors on probation meet {director} every two weeks.",
                "Overloads are not approved in the last semester.",
                "Attendance at the first laboratory or seminar meeting is compulsory; absent students lose the place."]))
    elif grad or doc:
        th = doc or "thesis" in " ".join(S["D"]) and "no thesis" not in " ".join(S["D"])
        S["G"].append(nxt("lkg", [
            f"The plan of study is due in {room} by {P(['the end of the first semester', 'the tenth week of the first semester'])}.",
            f"Incompletes in core courses are finished within {P(['60 days', '45 days', 'six weeks'])}.",
            "Leave of absence is usually granted for one semester at a time; see the general rules.",
            f"Students below 3.00 have {P(['one semester', 'nine credits'])} in which to recover.",
            f"Students who plan to graduate tell the office in {room} by {P(['September 1 or January 15', 'September 8 or January 22', 'August 25 or January 12'])}.",
            "Core courses cannot be repeated more than once.",
            "Any use of generative tools in written work is reported to the adviser."]))
        if th:
            S["G"].append(nxt("lkt", [
                f"Committee members get the text {P(['four weeks', '28 days', 'five weeks'])} before the defense.",
                "The committee is formed as the thesis submission rules say.",
                f"Defenses are held no later than {P(['November 8 or April 4', 'November 1 or April 1', 'October 30 or March 28'])}.",
                "The format of the text is that of the Graduate School."]))
    # ---------- closing boilerplate, repeated across pages
    if rng.random() < .75 or not (ugrad or grad or doc):
        S["G"].append(P(["Where this page is silent, the general rules of the university apply.", "These requirements are in addition to those of the university.", "Nothing on this page replaces the general rules.", "Withdrawals, incompletes and leaves of absence follow the general rules."]))
    if rng.random() < .6 and not any(x.startswith("No ") and "accepted" in x for x in T):
        S["T"].append(P(["Official transcripts go to the Transfer Desk and not to the department.", "Grades of transferred courses do not enter the average.", "Decisions are sent by e-mail.", "Credit once refused is not looked at again without new documents."]))
    if rng.random() < .5:
        S["A"].append(P(["Meeting the minimum does not guarantee a place.", "Exceptions are rare and are noted in the file.", "International applicants also see the Office of International Students."]))
    if ugrad or deg == "minor":
        S["D"].append(P(["A course can be used for two requirements only where this page says so.", "Substitutions need the signature of the adviser.", "Not every elective is taught each year.", "Courses are listed with their prerequisites in the schedule."]))
    else:
        S["D"].append(P(["Electives from other departments need the consent of the adviser.", "Courses at the 400 level are not counted unless the adviser agrees in advance.", "Not every course is taught each year.", "Independent study is limited to one course."]))
    title = {"minor": f"{name}, Minor", "cert": f"{name}, Graduate Certificate"}.get(deg, f"{name}, {t}")
    H = [("O", "Overview"), ("A", "Admission"), ("D", "Degree requirements"), ("V", "Advising"), ("G", "Grades and progress"), ("T", "Transfer credit")]
    return f"# {title}\n\n" + "\n\n".join(f"## {h}\n\n" + " ".join(x for x in S[c] if x) for c, h in H) + "\n", f

if __name__ == "__main__":
    shutil.rmtree(OUT, ignore_errors=True); os.makedirs(OUT)
    n = 0; rows = []
    for i, l in enumerate(SUBJ.strip().splitlines()):
        sub = l.split("|")
        for deg in sub[9].split():
            rng = random.Random(f"averill-{sub[0]}-{deg}")
            d = NAMES[i] if deg not in ("ba", "bs", "minor") else NAMES[(i + 9) % len(NAMES)]
            text, f = page(sub, deg, d, rng)
            fn = f"{sub[0]}-{FILE.get(deg, deg)}.md"
            open(os.path.join(OUT, fn), "w").write(text); n += 1
            rows.append(fn + "\t" + " ".join(f"{k}={v}" for k, v in f.items()) + f"\twords={len(text.split())}")
    open(os.path.join(HERE, "facts.tsv"), "w").write("\n".join(rows) + "\n")
    print(n, "programme pages")
