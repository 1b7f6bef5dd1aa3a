/** Messages of DNS (RFC 1035), as far as a responder with addresses needs them. */
import { addressBytes } from "../../../x509/address-bytes.ts";

export const A = 1;
export const AAAA = 28;
const IN = 1;
const HEADER_BYTES = 12;
/** Of a response by UDP. */
const MAX_UDP_BYTES = 512;
const TTL_SECONDS = 1;
/** Response, recursion available. */
const RESPONSE = 0x8080;
const TRUNCATED = 0x0200;
/** Operation and "recursion desired" of the query, which the response repeats. */
const REPEATED = 0x7900;
const OPERATION = 0x7800;
const IS_RESPONSE = 0x8000;
/** A reference to the question's name. */
const NAME_POINTER = Buffer.from([0xc0, HEADER_BYTES]);

export interface Question {
  /** Lower case, without a final dot. */
  name: string;
  /** A, AAAA or another. */
  type: number;
}

/** `missing`: the name does not exist. `failed`: it could not be resolved. */
export type Resolution = { addresses: readonly string[] } | "missing" | "failed" | "unsupported";

const CODES = { failed: 2, missing: 3, unsupported: 4 } as const;

/** Returns the question of a query; `undefined` for anything but a query with one question of class IN. */
export function parseQuery(message: Buffer): Question | undefined {
  if (message.length < HEADER_BYTES || message.readUInt16BE(4) !== 1) return undefined;
  if ((message.readUInt16BE(2) & (IS_RESPONSE | OPERATION)) !== 0) return undefined;
  const end = questionEnd(message);
  if (end === undefined || message.readUInt16BE(end - 2) !== IN) return undefined;
  const labels: string[] = [];
  for (let at = HEADER_BYTES; message[at] !== 0; at += 1 + (message[at] ?? 0))
    labels.push(message.toString("latin1", at + 1, at + 1 + (message[at] ?? 0)));
  const name = labels.join(".").toLowerCase();
  return /^[\w.-]{1,253}$/.test(name) ? { name, type: message.readUInt16BE(end - 4) } : undefined;
}

/** Returns the end of the question; `undefined` when it is cut or its name is compressed. */
function questionEnd(message: Buffer): number | undefined {
  for (let at = HEADER_BYTES; ; ) {
    const length = message[at];
    if (length === undefined || length > 63) return undefined;
    at += 1 + length;
    if (length === 0) return at + 4 <= message.length ? at + 4 : undefined;
  }
}

/** Returns the response to a query. @param overUdp limits its size */
export function createResponse(query: Buffer, resolution: Resolution, overUdp: boolean): Buffer {
  const end = questionEnd(query);
  const code = typeof resolution === "string" ? CODES[resolution] : 0;
  const addresses = typeof resolution === "string" ? [] : resolution.addresses;
  const answers = addresses.map((address) => {
    const data = addressBytes(address);
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(data.length === 4 ? A : AAAA, 0);
    fixed.writeUInt16BE(IN, 2);
    fixed.writeUInt32BE(TTL_SECONDS, 4);
    fixed.writeUInt16BE(data.length, 8);
    return Buffer.concat([NAME_POINTER, fixed, data]);
  });
  const question = query.subarray(HEADER_BYTES, end ?? HEADER_BYTES);
  const size = HEADER_BYTES + question.length + answers.reduce((sum, { length }) => sum + length, 0);
  const isTruncated = overUdp && size > MAX_UDP_BYTES;
  const sent = isTruncated ? [] : answers;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE((query.readUInt16BE(2) & REPEATED) | RESPONSE | (isTruncated ? TRUNCATED : 0) | code, 2);
  header.writeUInt16BE(question.length > 0 ? 1 : 0, 4);
  header.writeUInt16BE(sent.length, 6);
  return Buffer.concat([header, question, ...sent]);
}
