"""The live channel. `channel` is its socket and `served` what else the server adds; `drawn` draws the pictures of a
page, and `pictures` shows them and answers questions about them. Nothing is imported here: `app.py` needs only the
first two.
"""
