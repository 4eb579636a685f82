"""Colours can be told apart, also by readers with a colour vision deficiency, and have enough contrast."""

import itertools
import tomllib
from pathlib import Path

import numpy as np
import pytest

from pages.shared.figures import palette

ROOT = Path(__file__).parents[3]


def channels(colour):
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """WCAG 2.2, contrast ratio."""
    low, high = sorted(float(channels(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


VISION = {  # Machado, Oliveira and Fernandes (2009), severity 1, linear RGB
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def lab(linear):
    """CIELAB of a linear sRGB colour, white D65."""
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = (np.array(to_xyz) @ np.clip(linear, 0, 1)) / [0.9505, 1, 1.089]
    f = [np.cbrt(t) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one, other, vision):
    return np.linalg.norm(lab(np.array(vision) @ channels(one)) - lab(np.array(vision) @ channels(other)))


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("vision", VISION)
def test_colours_can_be_told_apart(theme, vision):
    colours = palette.THEMES[theme]
    assert distance(colours["plus"], colours["minus"], VISION[vision]) > 80
    assert distance(colours["field-plus"], colours["field-minus"], VISION[vision]) > 30
    assert min(distance(colours["heat"], colours[k], VISION[vision]) for k in ("plus", "minus", "accent", "ink")) > 20
    assert min(distance(colours["third"], colours[k], VISION[vision]) for k in ("plus", "minus", "ink")) > 35
    third = (distance(colours["third-inner"], colours[k], VISION[vision]) for k in ("plus-inner", "minus-inner"))
    assert min(third) > 12
    variants = [colours[f"variant-{k}"] for k in range(1, 9)]
    assert min(distance(a, b, VISION[vision]) for a, b in itertools.combinations(variants, 2)) > 20


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("vision", [*VISION.values(), np.tile([0.2126, 0.7152, 0.0722], (3, 1))], ids=[*VISION, "grey"])
def test_variants_have_different_dashes_or_colours_that_differ(theme, vision):
    looks = [palette.variant(k) for k in range(32)]
    colours = [palette.replace_tokens(ink, palette.THEMES[theme]) for ink, _ in looks]
    same = [(a, b) for a, b in itertools.combinations(range(32), 2) if looks[a][1] == looks[b][1]]
    assert len(set(looks)) == 32 and looks[0] == (palette.colour("variant-1"), "solid") and len(same) == 16
    assert min(distance(colours[a], colours[b], vision) for a, b in same) > 20


def test_every_machine_has_a_look_of_its_own_and_the_old_ones_keep_theirs():
    from pages.shared.screen.choices import MACHINES, Machine
    from svmcore import losses

    index = {loss: Machine(loss).colour for loss in losses.LOSSES}
    assert len({palette.variant(k) for k in index.values()}) == len(losses.LOSSES)
    kept = (
        "hinge squared_hinge least_squares least_absolute pinball huber insensitive_pinball exponential log ramp "
        "truncated_pinball asymmetric_truncated_pinball sigmoid normalized_sigmoid zero_one"
    )
    assert [index[loss] for loss in kept.split()] == list(range(15))
    for together in MACHINES.values():
        assert len({Machine(loss).colour for loss in together}) == len(together)


@pytest.mark.parametrize("theme", palette.THEMES)
def test_contrasts_reach_wcag(theme):
    colours = palette.THEMES[theme]
    for name in ("ink", "muted"):
        assert contrast(colours[name], colours["page"]) >= 4.5
    for name in ("plus", "minus", "third", "accent", "heat", *(f"variant-{k}" for k in range(1, 9))):
        assert contrast(colours[name], colours["page"]) >= 3, name
    for kind in ("plus", "minus", "third"):
        assert contrast(colours[kind], colours[f"{kind}-region"]) >= 3, kind
        below = [colours[name] for name in (f"{kind}-inner", f"field-{kind}") if name in colours]
        assert all(contrast(colours[f"{kind}-deep"], field) >= 3 for field in below), "an outline on its own field"
    for field in ("field-plus", "field-minus", "third-inner", "heat"):
        assert contrast(colours["ink"], colours[field]) >= 4.5  # lines and outlines on the strongest colour


def test_config_and_frame_have_the_colours_of_the_palette():
    frame = (ROOT / "pages/shared/page/page.css").read_text(encoding="utf-8")
    for name in ("page", "ink"):
        both = ", ".join(palette.THEMES[theme][name] for theme in ("light", "dark"))
        assert f"--svm-{name}: light-dark({both});" in frame
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    for name, colours in palette.THEMES.items():
        assert theme[name]["backgroundColor"] == colours["page"]
        assert theme[name]["textColor"] == colours["ink"]
        variants = [colours[f"variant-{k}"] for k in range(1, 9)]
        assert theme[name]["chartCategoricalColors"] == [colours["plus"], colours["minus"], *variants]
