const ASTERISK = 0x2a;

/**
 * Replaces a key in a stream of bytes by asterisks, so that a response that repeats its request cannot disclose it. Keeps the length. Only
 * bytes that may begin the key are held back until the next ones arrive.
 *
 * @param key of ASCII characters
 */
export function createKeyHider(key: string): TransformStream<Uint8Array, Uint8Array> {
  const sought = new TextEncoder().encode(key);
  let held = new Uint8Array();
  return new TransformStream({
    transform(chunk, controller) {
      const bytes = new Uint8Array(held.length + chunk.length);
      bytes.set(held);
      bytes.set(chunk, held.length);
      for (let at = indexOf(bytes, sought, 0); at >= 0; at = indexOf(bytes, sought, at + sought.length)) {
        bytes.fill(ASTERISK, at, at + sought.length);
      }
      const whole = bytes.length - beginningAtEnd(bytes, sought);
      held = bytes.slice(whole);
      if (whole > 0) controller.enqueue(bytes.subarray(0, whole));
    },
    flush(controller) {
      if (held.length > 0) controller.enqueue(held);
    },
  });
}

function indexOf(bytes: Uint8Array, sought: Uint8Array, from: number): number {
  const [first = 0] = sought;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + sought.length > bytes.length) return -1;
    if (isAt(bytes, at, sought, sought.length)) return at;
  }
  return -1;
}

/** Returns how many of the last bytes begin the key. */
function beginningAtEnd(bytes: Uint8Array, sought: Uint8Array): number {
  for (let length = Math.min(sought.length - 1, bytes.length); length > 0; length -= 1) {
    if (isAt(bytes, bytes.length - length, sought, length)) return length;
  }
  return 0;
}

function isAt(bytes: Uint8Array, at: number, sought: Uint8Array, length: number): boolean {
  for (let index = 0; index < length; index += 1) if (bytes[at + index] !== sought[index]) return false;
  return true;
}
