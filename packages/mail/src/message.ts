/** Parses the parts of MIME that a message needs to be shown (RFC 5322, 2045 and 2047). */

/** Nested parts below this depth are ignored. */
const MAX_DEPTH = 20;
/** Characters of a header; the rest is ignored. */
const MAX_HEADER = 2_000;

export interface Message {
  from: string;
  to: string[];
  subject: string;
  /** The `Date` header. */
  date: string;
  text: string;
  /** Absent when the message has no HTML part. */
  html?: string;
}

/** @param raw has the envelope in `Return-Path` and `Delivered-To` */
export function parseMessage(raw: Buffer): Message {
  const { headers, body } = splitEntity(raw.toString("latin1"));
  const parts: Parts = {};
  collectParts(headers, body, parts);
  const header = (name: string) => decodeWords(headers.get(name)?.[0]?.slice(0, MAX_HEADER) ?? "");
  return {
    from: header("from"),
    to: headers.get("delivered-to") ?? [],
    subject: header("subject"),
    date: header("date"),
    text: "",
    ...parts,
  };
}

type Headers = Map<string, string[]>;
type Parts = Partial<Pick<Message, "text" | "html">>;

function splitEntity(entity: string): { headers: Headers; body: string } {
  // A part without headers begins with the blank line.
  const text = /^\r?\n/.test(entity) ? `\n${entity}` : entity;
  const [, head = "", body = ""] = /^([\s\S]*?)(?:\r?\n\r?\n([\s\S]*))?$/.exec(text) ?? [];
  const headers: Headers = new Map();
  for (const line of head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const at = line.indexOf(":");
    if (at < 1) continue;
    const name = line.slice(0, at).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(at + 1).trim()]);
  }
  return { headers, body };
}

/** Adds the first plain text and the first HTML part to `parts`. */
function collectParts(headers: Headers, body: string, parts: Parts, depth = 0): void {
  if (depth > MAX_DEPTH) return;
  const type = headers.get("content-type")?.[0] ?? "text/plain";
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary !== undefined) {
    const [, ...entities] = `\n${body}`.split(`\n--${boundary}`);
    for (const entity of entities) {
      if (entity.startsWith("--")) break;
      const inner = splitEntity(entity.replace(/^[ \t]*\r?\n/, ""));
      collectParts(inner.headers, inner.body.replace(/\r$/, ""), parts, depth + 1);
    }
    return;
  }
  if (headers.get("content-disposition")?.[0]?.toLowerCase().startsWith("attachment")) return;
  const charset = /charset="?([^";\s]+)/i.exec(type)?.[1] ?? "utf-8";
  const decode = () => decodeText(decodeBody(headers.get("content-transfer-encoding")?.[0] ?? "", body), charset);
  if (/^text\/plain/i.test(type)) parts.text ??= decode();
  if (/^text\/html/i.test(type)) parts.html ??= decode();
}

function decodeBody(encoding: string, body: string): Buffer {
  if (/^base64$/i.test(encoding)) return Buffer.from(body, "base64");
  if (!/^quoted-printable$/i.test(encoding)) return Buffer.from(body, "latin1");
  return decodeHexEscapes(body.replace(/=[ \t]*\r?\n/g, ""));
}

function decodeHexEscapes(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
    "latin1",
  );
}

/** Decodes an unknown character set as UTF-8. */
function decodeText(bytes: Buffer, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return bytes.toString();
  }
}

function decodeWords(value: string): string {
  const joined = value.replace(/(=\?[^?]+\?[bq]\?[^?]*\?=)\s+(?==\?)/gi, "$1");
  return joined.replace(/=\?([^?*]+)[^?]*\?([bq])\?([^?]*)\?=/gi, (_, label: string, kind: string, text: string) =>
    decodeText(
      kind.toLowerCase() === "b" ? Buffer.from(text, "base64") : decodeHexEscapes(text.replaceAll("_", " ")),
      label,
    ),
  );
}
