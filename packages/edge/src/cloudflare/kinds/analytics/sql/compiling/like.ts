/** Matches of `LIKE`: `%` stands for any text, `_` for one character. */

/**
 * Whether a pattern fits the whole text, in steps of at most the product of their lengths: a regular expression of many `%`
 * would take far more.
 */
export function isLike(text: readonly string[], pattern: readonly string[]): boolean {
  let at = 0;
  let of = 0;
  /** Where the last `%` stands, and what of the text it has taken. */
  let star = -1;
  let taken = 0;
  while (at < text.length) {
    const wanted = pattern[of];
    if (wanted === "%") {
      star = of;
      taken = at;
      of += 1;
    } else if (wanted === "_" || wanted === text[at]) {
      at += 1;
      of += 1;
    } else if (star >= 0) {
      taken += 1;
      at = taken;
      of = star + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(of).every((rest) => rest === "%");
}
