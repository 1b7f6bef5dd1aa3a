/** What the first bytes of a connection reveal about its destination. */

export type Kind =
  /** HTTP/1, with method and host of the first request. */
  | { kind: "http"; method: string; host: string | undefined }
  /** TLS; the host is the server name (SNI) of its first message. */
  | { kind: "tls"; host: string | undefined }
  | { kind: "other" };

const HANDSHAKE = 0x16;
const CLIENT_HELLO = 0x01;
const SERVER_NAME = 0;
/** Of the bytes that are read before a connection counts as something else. */
export const MAX_HEAD_BYTES = 65_536;

const METHOD = /^[A-Z]{1,32} $/;
const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/1\.[01]\r$/;
const METHOD_START = /^[A-Z]{1,32} ?$/;

/** Returns what a connection is; `undefined` when more bytes are needed. */
export function kindOf(bytes: Buffer): Kind | undefined {
  if (bytes.length === 0) return undefined;
  return bytes[0] === HANDSHAKE ? tlsKind(bytes) : httpKind(bytes);
}

function httpKind(bytes: Buffer): Kind | undefined {
  const space = bytes.indexOf(" ");
  const start = bytes.toString("latin1", 0, Math.min(space < 0 ? bytes.length : space + 1, 33));
  if (!(space < 0 ? METHOD_START : METHOD).test(start)) return { kind: "other" };
  // Commands of other protocols, such as IRC's, begin like a request.
  const line = bytes.indexOf("\n");
  if (line >= 0 && !REQUEST_LINE.test(bytes.toString("latin1", 0, line))) return { kind: "other" };
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return bytes.length < MAX_HEAD_BYTES ? undefined : { kind: "other" };
  const [request = "", ...headers] = bytes.toString("latin1", 0, end).split("\r\n");
  // A proxy's form of the request, which takes precedence (RFC 9112, section 3.2.2).
  const [, absolute] = /^[A-Z]+ https?:\/\/([^/?# ]+)/i.exec(request) ?? [];
  const [, host] = headers.map((line) => /^host:[ \t]*(.*?)[ \t]*$/i.exec(line)).find((match) => match !== null) ?? [];
  return { kind: "http", method: request.split(" ", 1)[0] ?? "", host: hostnameOf(absolute ?? host ?? "") };
}

/** Without port. Also `undefined` for what cannot be a host. */
function hostnameOf(authority: string): string | undefined {
  if (authority === "" || !URL.canParse(`http://${authority}`)) return undefined;
  const { hostname, username, pathname } = new URL(`http://${authority}`);
  return username === "" && pathname === "/" ? hostname : undefined;
}

/** A ClientHello (RFC 8446, section 4.1.2), which may span several records. */
function tlsKind(bytes: Buffer): Kind | undefined {
  const handshake: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== HANDSHAKE) return { kind: "tls", host: undefined };
    if (at + 5 > bytes.length) break;
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    handshake.push(bytes.subarray(at + 5, end));
    at = end;
  }
  const message = Buffer.concat(handshake);
  if (message.length >= 4 && (message[0] !== CLIENT_HELLO || message.readUIntBE(1, 3) > MAX_HEAD_BYTES))
    return { kind: "tls", host: undefined };
  if (message.length < 4 || message.length < 4 + message.readUIntBE(1, 3)) return undefined;
  try {
    return { kind: "tls", host: serverName(message.subarray(4, 4 + message.readUIntBE(1, 3))) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { kind: "tls", host: undefined };
  }
}

/** @throws RangeError when the message is cut */
function serverName(hello: Buffer): string | undefined {
  // Version and random.
  let at = 34;
  const skip = (sizeBytes: 1 | 2) => {
    at += sizeBytes + hello.readUIntBE(at, sizeBytes);
  };
  // Session id, cipher suites, compression methods.
  for (const size of [1, 2, 1] as const) skip(size);
  const end = at + 2 + hello.readUInt16BE(at);
  for (at += 2; at < end; ) {
    const type = hello.readUInt16BE(at);
    const length = hello.readUInt16BE(at + 2);
    if (type === SERVER_NAME) return firstName(hello.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}

function firstName(list: Buffer): string | undefined {
  // The list's length, the kind of the name (0: a host), the name's length.
  if (list.readUInt8(2) !== 0) return undefined;
  const name = list.toString("latin1", 5, 5 + list.readUInt16BE(3));
  return /^[\w.-]{1,253}$/.test(name) ? name.toLowerCase() : undefined;
}
