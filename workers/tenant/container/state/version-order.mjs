/** The order of gateway versions. */

/**
 * Returns a negative number when `a` is older. Letters, as in `1.2.0-beta.1`, sort before the version without them; numbers, as in
 * `2026.9.6-2`, after it.
 */
export function compareVersions(a, b) {
  const parts = (version) => (version.replace(/^v(?=\d)/, "").split("+")[0] ?? "").split(/[.-]/);
  const rank = (part = "0") => (/^\d+$/.test(part) ? Number(part) : -1);
  const [left, right] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = rank(left[index]) - rank(right[index]);
    if (difference !== 0) return difference;
    if (rank(left[index]) === -1 && left[index] !== right[index]) return left[index] < right[index] ? -1 : 1;
  }
  return 0;
}

/** Returns the age of a state relative to an image; `unknown` when one of them is unknown or they are different gateways. */
export function ageOf(state, image) {
  if (state === undefined || image === undefined || state.name !== image.name) return "unknown";
  const order = compareVersions(state.version, image.version);
  return order === 0 ? "same" : order < 0 ? "older" : "newer";
}
