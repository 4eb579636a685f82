"""Lessons: prompts that ask before they show, and answers that the solvers compute. No Streamlit, no pictures here.

`reading` makes a `lesson` of each file of `data/lessons`, `state` turns a table of link parameters into points and
machines, `quantities` holds what a prompt can ask for, `answers` computes it, `grading` compares it with what a reader
said.
"""
