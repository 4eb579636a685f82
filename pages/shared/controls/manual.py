"""The control of the Help page: the subject of the manual, and the address of another one."""

from urllib.parse import urlencode

import streamlit as st

from pages.shared.controls.kinds import Choice

SUBJECT = Choice("subject", "Subject", resets=False)


def subject(titles) -> str:
    """One of the subjects {key: title} of the manual."""
    return SUBJECT(options=titles)


def subject_address(key) -> str:
    """The query of this screen with another subject of the manual, so that no setting is lost."""
    return f"?{urlencode({**st.query_params.to_dict(), SUBJECT.name: key})}"
