/** Writes tar archives (POSIX ustar), one file after the other, without any of them in memory. */

const BLOCK = 512;
/** In bytes; the header has eleven octal digits. */
const MAX_SIZE = 8 ** 11 - 1;

/** @param path at most 100 ASCII characters @param at modification time @throws RangeError */
export function tarHeader(path: string, size: number, at: Date): Uint8Array<ArrayBuffer> {
  if (!/^[\x21-\x7e]{1,100}$/.test(path) || size > MAX_SIZE)
    throw new RangeError(`${path} does not fit into a tar header`);
  const header = new Uint8Array(BLOCK);
  const write = (text: string, offset: number) => header.set(new TextEncoder().encode(text), offset);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  write(path, 0);
  write(octal(0o600, 7), 100);
  write(octal(0, 7) + octal(0, 7), 108);
  write(octal(size, 11), 124);
  write(octal(Math.floor(at.getTime() / 1000), 11), 136);
  // The checksum counts itself as spaces.
  write(`${" ".repeat(8)}0`, 148);
  write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** Returns the zeros after a file of a size. */
export const tarPadding = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);

/** Returns the end of an archive. */
export const tarEnd = (): Uint8Array<ArrayBuffer> => new Uint8Array(2 * BLOCK);
