"""The handbook that every generator makes into a site: its pages as blocks, which a dialect writes down.

In a text `~28~` is struck, `$v$` is a formula in TeX, and `^words^` is a note behind the word before it.
"""

BSC, MSC = "BSc Forest Ecology", "MSc Timber Design"

PAGES = {
    "index": (
        "Alder College handbook",
        [("p", "This handbook holds for all students of Alder College."), ("links", ["fees", "dates", "rules", "news"])],
    ),
    "fees": (
        "Fees",
        [
            ("h", "Fees of a semester"),
            ("table",),
            ("p", "Students of MSc Timber Design who begin in spring pay 980 in full-time study."),
            ("h", "Deposits"),
            ("p", "The deposit for a locker is EUR 40^Doctoral candidates pay EUR 15 for a locker.^. It is paid at the desk of the porter."),
            ("h", "Posters"),
            ("p", "A poster costs ~EUR 28~ EUR 34 a metre."),
            ("h", "Keys"),
            ("costs",),
            ("include",),
        ],
    ),
    "dates": (
        "Dates",
        [
            ("h", "Examinations"),
            ("p", "The dates depend on your programme."),
            (
                "tabs",
                {
                    BSC: "Register for the examinations until 21 January 2027.",
                    MSC: "Register for the examinations until 16 February 2027.",
                },
            ),
            ("h", "Late registration"),
            ("p", "Whoever misses the date cannot register."),
            ("note", "After an illness", "You may register up to six days late."),
        ],
    ),
    "rules": (
        "Rules",
        [
            ("h", "Words"),
            (
                "define",
                {
                    "Grazing day": "A day without lectures, on which excursions take place.",
                    "Thinning permit": "The permission to fell marked trees.",
                },
            ),
            ("h", "In the sawmill"),
            (
                "numbered",
                [
                    "Wear the helmet at all times.",
                    "Switch the saw off before you clean it.",
                    "Write each accident into the red book.",
                ],
            ),
            ("h", "Speed of the blade"),
            ("p", r"At most the blade runs at $v_{\max} = 62\ \mathrm{m/s}$ in dry wood."),
            ("h", "Reading the sensors"),
            ("p", "Call up the sensors with this command."),
            (
                "codes",
                {
                    "Linux": ("sh", "sftp -P 2417 sensor@alder.example"),
                    "Windows": ("bat", "psftp -P 2517 sensor@alder.example"),
                },
            ),
        ],
    ),
}

#: What the page on fees takes in from another file.
PARTIAL = "The money for a key is given back within ten days."
#: What a key costs, and what it cost in the older version of the handbook.
KEY, OLD_KEY = "A key to the workshop costs EUR 22.", "A key to the workshop costs EUR 19."

#: A day, a name for the address, a title and paragraphs.
NEWS = [
    (
        "2026-10-05",
        "seed-store",
        "Seed store closed",
        ["The seed store is closed from 12 to 16 October 2026.", "Nora Field hands out seeds meanwhile."],
    ),
    (
        "2026-11-02",
        "library",
        "Longer hours of the library",
        ["From 9 November 2026 the library opens at 7:40.", "On Sundays it stays shut."],
    ),
]

TABLE = [
    '<table>',
    '<thead>',
    '<tr><th rowspan="2">Programme</th><th colspan="2">Fee per semester (EUR)</th><th rowspan="2">ECTS</th></tr>',
    '<tr><th>Full-time</th><th>Part-time</th></tr>',
    '</thead>',
    '<tbody>',
    '<tr><td>BSc Forest Ecology</td><td>730</td><td>395</td><td>180</td></tr>',
    '<tr><td>MSc Timber Design</td><td>1,150</td><td>640</td><td>120</td></tr>',
    '</tbody>',
    '</table>',
]
