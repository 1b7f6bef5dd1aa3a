/** Messages of the Postgres protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html */

const HEADER_BYTES = 5;

/** The length counts its own four bytes and the body. */
export function encodeMessage(kind: string, body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(kind, 0, "latin1");
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const encodeStrings = (...values: string[]): Buffer => Buffer.from(values.map((value) => `${value}\0`).join(""));
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

export const queryMessage = (sql: string): Buffer => encodeMessage("Q", encodeStrings(sql));
export const askForPassword = encodeMessage("R", int32(3));
export const authenticated = encodeMessage("R", int32(0));
/** Key data of a session that cannot be cancelled. */
export const noKey = encodeMessage("K", Buffer.concat([int32(0), int32(0)]));
export const ready = encodeMessage("Z", Buffer.from("I"));
export const parameterStatus = (name: string, value: string): Buffer => encodeMessage("S", encodeStrings(name, value));
/** @param code SQLSTATE */
export const fatalError = (code: string, reason: string): Buffer =>
  encodeMessage("E", encodeStrings("SFATAL", "VFATAL", `C${code}`, `M${reason}`, ""));

/** The first message of a client, which has no type byte. */
export type Startup = { kind: "encryption" } | { kind: "cancel" } | { kind: "start"; user: string };
const ENCRYPTION = new Set([80_877_103, 80_877_104]);
const CANCEL = 80_877_102;
const MAX_STARTUP_BYTES = 10_000;

/** @returns the message and its end, or undefined while it is incomplete @throws Error for an invalid length */
export function readStartup(bytes: Buffer): { startup: Startup; end: number } | undefined {
  const end = bytes.length < 4 ? Number.POSITIVE_INFINITY : bytes.readUInt32BE(0);
  if (end !== Number.POSITIVE_INFINITY && (end < 8 || end > MAX_STARTUP_BYTES))
    throw new Error("invalid startup packet");
  if (bytes.length < end) return undefined;
  const code = bytes.readUInt32BE(4);
  if (ENCRYPTION.has(code)) return { startup: { kind: "encryption" }, end };
  if (code === CANCEL) return { startup: { kind: "cancel" }, end };
  const words = bytes.toString("utf8", 8, end).split("\0");
  const at = words.findIndex((word, index) => index % 2 === 0 && word === "user");
  return { startup: { kind: "start", user: at === -1 ? "" : (words[at + 1] ?? "") }, end };
}

export interface Message {
  kind: string;
  /** Header and body. */
  bytes: Buffer;
}

/** @returns the first message, or undefined while it is incomplete */
export function readMessage(bytes: Buffer): Message | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const end = bytes.readUInt32BE(1) + 1;
  if (bytes.length < end) return undefined;
  return { kind: bytes.toString("latin1", 0, 1), bytes: bytes.subarray(0, end) };
}

/** Finds `ReadyForQuery` in a stream, in chunks of any size, without buffering it. */
export class ReadyScanner {
  #header = Buffer.alloc(0);
  /** Remaining bytes of the current message's body. */
  #left = 0;
  #kind = "";

  /** @returns the end of each in `chunk`, with the state of the transaction: `I` for none */
  scan(chunk: Buffer): { end: number; state: string }[] {
    const found: { end: number; state: string }[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#left === 0) {
        const taken = chunk.subarray(at, at + HEADER_BYTES - this.#header.length);
        this.#header = Buffer.concat([this.#header, taken]);
        at += taken.length;
        if (this.#header.length < HEADER_BYTES) break;
        this.#kind = this.#header.toString("latin1", 0, 1);
        this.#left = this.#header.readUInt32BE(1) - 4;
        this.#header = Buffer.alloc(0);
      }
      const step = Math.min(this.#left, chunk.length - at);
      at += step;
      this.#left -= step;
      if (this.#left === 0 && step > 0 && this.#kind === "Z") {
        found.push({ end: at, state: chunk.toString("latin1", at - 1, at) });
      }
    }
    return found;
  }
}
