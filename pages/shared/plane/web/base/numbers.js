// Numbers in texts, as svmcore/words.py writes them.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const THIN = "\u202f"; // a narrow space at which no line is broken

/** A number with so many digits: 0.123, −12, 1.23·10⁻⁵; a dash for one that is not finite. */
export function formatNumber(value, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size === 0) return "0";
  const sign = rounded < 0 ? "−" : "";
  if (size >= 1e-4 && size < 1e6) return sign + size.toString();
  const [factor, power] = size.toExponential().split("e");
  const raised = String(Math.abs(Number(power))).replace(/\d/g, (digit) => RAISED[Number(digit)]);
  return `${sign}${factor === "1" ? "" : `${factor}·`}10${Number(power) < 0 ? "⁻" : ""}${raised}`;
}

/** A share, 0 to 1, as "12.5 %"; a small one, or a large one, with as many decimals as tell it from none or all. */
export function percent(share) {
  if (!Number.isFinite(share)) return "–";
  const apart = 100 * Math.min(share, 1 - share);
  const decimals = apart >= 1e-4 && apart < 0.05 ? -Math.floor(Math.log10(apart)) : 1;
  return `${(100 * share).toFixed(decimals)}${THIN}%`;
}
