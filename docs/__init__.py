"""The manual as Markdown files, and the code that writes its picture and its tables: `python -m docs`."""
