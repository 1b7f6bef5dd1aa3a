/** Removal of a provider's key from texts that others read. */

/** Length of the shortest part of a key that is hidden. Providers show a few of its first and last characters. */
const PART = 8;

/** Returns a text of the same length in which each part of the key with at least eight characters is replaced by asterisks. */
export function hideKey(text: string, key: string): string {
  const parts = new Set(
    Array.from({ length: Math.max(0, key.length - PART + 1) }, (_, at) => key.slice(at, at + PART)),
  );
  let shown = "";
  let hiddenUntil = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (parts.has(text.slice(at, at + PART))) hiddenUntil = at + PART;
    shown += at < hiddenUntil ? "*" : text.charAt(at);
  }
  return shown;
}
