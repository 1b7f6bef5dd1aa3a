const utf8 = new TextEncoder();

/**
 * Compares secrets in a time that depends only on the length of `given`. Without `node:crypto`, because Workers call it too; browsers and
 * Node.js have no common function for it.
 */
export function equalSecrets(given: string, expected: string): boolean {
  const [left, right] = [utf8.encode(given), utf8.encode(expected)];
  let difference = left.length ^ right.length;
  // `right` may be shorter; then the lengths already differ.
  for (let at = 0; at < left.length; at += 1) difference |= (left[at] ?? 0) ^ (right[at % right.length] ?? 0);
  return difference === 0;
}
