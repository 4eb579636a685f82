"""Numbers in sentences, read back: what `svmcore.words` writes."""

LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
NUMBER = r"(−?\d+\.?\d*(?:·10)?[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*)"  # "0.5", "−1.2·10⁻⁵", "10⁻⁶"


def number_in(text) -> float:
    """The number in a text that is nothing else."""
    plain = text.rstrip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    power = text[len(plain) :].translate(LOWERED)
    if not power:
        return float(plain.translate(LOWERED))
    factor = plain.removesuffix("10").removesuffix("·").translate(LOWERED)
    return float(f"{factor if factor.strip('-') else factor + '1'}e{power}")
