"""Writes tests/fixtures/plan.xls, a workbook of Excel 97 to 2003.

    python -m venv venv && venv/bin/pip install xlwt==1.3.0
    venv/bin/python crates/ingest/tests/scripts/make_xls.py

xlwt is no longer developed, and neither is the format.
"""

import datetime
import pathlib

import xlwt

FILE = pathlib.Path(__file__).parent.parent / "fixtures" / "plan.xls"

book = xlwt.Workbook()

winter = book.add_sheet("Winter term")
winter.write_merge(0, 0, 0, 3, "Examinations 2026")
for column, name in enumerate(["Course", "Date", "Points", "Fee"]):
    winter.write(1, column, name)
rows = [
    ("Logic – für alle", datetime.date(2026, 1, 7), 6, 0.5),
    ("Algebra", datetime.date(2026, 2, 9), 9, 120.25),
]
date = xlwt.easyxf(num_format_str="dd.mm.yyyy")
for number, (course, day, points, fee) in enumerate(rows, 2):
    winter.write(number, 0, course)
    winter.write(number, 1, day, date)
    winter.write(number, 2, points)
    winter.write(number, 3, fee)

rooms = book.add_sheet("Rooms")
for row, cells in enumerate([["Name", "Room"], ["Anna", "W 1"], ["Tom", "W 2"]]):
    for column, text in enumerate(cells):
        rooms.write(row, column, text)

salaries = book.add_sheet("Salaries")
salaries.write(0, 0, "secret")
salaries.visibility = 1

book.save(str(FILE))
