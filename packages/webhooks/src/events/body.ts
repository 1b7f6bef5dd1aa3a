import type { Bytes } from "../checks/check.ts";

/** Keeps a byte order mark, so that `JSON.parse` refuses it (RFC 8259, section 8.1). */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(body: Bytes): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

/** Returns the value of a JSON body, or `undefined` if it is not JSON in UTF-8. */
export function jsonOf(body: Bytes): unknown {
  const text = textOf(body);
  return text === undefined ? undefined : parsed(text);
}

/** Returns the fields of a body in `application/x-www-form-urlencoded`. */
export function formOf(body: Bytes): URLSearchParams | undefined {
  const text = textOf(body);
  return text === undefined ? undefined : new URLSearchParams(text);
}

/**
 * Returns JSON of the body or of its form field `payload`. The body decides which, and not its unsigned content type: otherwise a replay with
 * another content type would be another event.
 */
export function jsonOrPayloadOf(body: Bytes): unknown {
  const json = jsonOf(body);
  return json === undefined ? parsed(formOf(body)?.get("payload") ?? "") : json;
}
