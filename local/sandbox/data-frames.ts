/** Finds out whether bytes of a WebSocket bring data, or only pings, pongs and closes (RFC 6455, section 5.2). */

const CONTROL_BIT = 0x08;
const LONGEST_HEADER = 14;

export class DataFrames {
  /** Bytes of the current frame that are still to come. */
  #left = 0n;
  #isData = false;
  #header = Buffer.alloc(0);

  /** @returns whether a part of a data frame is in the next bytes of one direction */
  sees(bytes: Buffer): boolean {
    let seen = false;
    for (let at = 0; at < bytes.length; ) {
      if (this.#left > 0n) {
        const here = BigInt(bytes.length - at);
        seen ||= this.#isData;
        if (here < this.#left) {
          this.#left -= here;
          return seen;
        }
        at += Number(this.#left);
        this.#left = 0n;
        continue;
      }
      const known = this.#header.length;
      const header = Buffer.concat([this.#header, bytes.subarray(at, at + LONGEST_HEADER - known)]);
      const frame = readHeader(header);
      if (frame === undefined) {
        this.#header = header;
        return seen;
      }
      this.#header = Buffer.alloc(0);
      this.#isData = frame.isData;
      this.#left = frame.length;
      seen ||= frame.isData;
      at += frame.header - known;
    }
    return seen;
  }
}

/** A frame's header; `undefined` while bytes of it are missing. */
function readHeader(bytes: Buffer): { header: number; length: bigint; isData: boolean } | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const code = second & 0x7f;
  const extended = code === 127 ? 8 : code === 126 ? 2 : 0;
  const header = 2 + extended + ((second & 0x80) === 0 ? 0 : 4);
  if (bytes.length < header) return undefined;
  const length = extended === 8 ? bytes.readBigUInt64BE(2) : BigInt(extended === 2 ? bytes.readUInt16BE(2) : code);
  return { header, length, isData: (first & CONTROL_BIT) === 0 };
}
