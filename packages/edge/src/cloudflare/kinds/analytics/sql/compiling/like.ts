/** Matches `LIKE` patterns in at most the product of both lengths; a regular expression with many `%` could take exponential time. */
export function isLike(text: readonly string[], pattern: readonly string[]): boolean {
  let at = 0;
  let of = 0;
  /** Position of the last `%`, and the end of the text that it matches. */
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
