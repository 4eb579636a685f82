"""Points as files: CSV, LIBSVM text and the app's own JSON, in and out. A bad file is a ValueError of one sentence."""
