"""Lessons: prompts that ask before they show, and answers that the solvers compute. No Streamlit, no pictures here."""
