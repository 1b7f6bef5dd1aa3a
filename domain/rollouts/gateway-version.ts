/**
 * Compares gateway versions like the images do (`workers/tenant/container/gateway-version.mjs`); negative if `a` is older. A suffix with
 * letters (`1.2.0-beta.1`) precedes the version without it, a numeric suffix (`2026.9.6-2`) follows it.
 */
export function compareGatewayVersions(a: string, b: string): number {
  const [left, right] = [versionParts(a), versionParts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = rankVersionPart(left[index]) - rankVersionPart(right[index]);
    if (difference !== 0) return difference;
    const [one = "", other = ""] = [left[index], right[index]];
    if (rankVersionPart(left[index]) === LETTERS && one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

const LETTERS = -1;
const versionParts = (version: string): string[] => (version.replace(/^v(?=\d)/, "").split("+")[0] ?? "").split(/[.-]/);
const rankVersionPart = (part = "0"): number => (/^\d+$/.test(part) ? Number(part) : LETTERS);
