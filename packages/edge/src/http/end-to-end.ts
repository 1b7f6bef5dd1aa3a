import type { OutgoingMessage } from "node:http";
import { HOP_BY_HOP } from "@tenantry/std/hop-by-hop";

/** Returns the end-to-end headers of a request (RFC 9110, 7.6.1) without `Host`. @param headers as in `headersDistinct` */
export function requestHeaders(headers: NodeJS.Dict<string[]>): Record<string, string[]> {
  const passed: Record<string, string[]> = {};
  const named = new Set((headers.connection ?? []).flatMap((value) => value.toLowerCase().split(/\s*,\s*/)));
  for (const [name, values] of Object.entries(headers)) {
    if (values === undefined || name === "host" || HOP_BY_HOP.has(name) || named.has(name)) continue;
    // Cookies are the only list that is not joined by commas.
    passed[name] = name === "cookie" ? [values.join("; ")] : values;
  }
  return passed;
}

/** Returns the end-to-end headers of a response. @param raw as in `rawHeaders` @param isExcluded further headers to exclude, by lower-case name */
export function responseHeaders(raw: readonly string[], isExcluded = (_: string) => false): string[] {
  return headerPairs(raw)
    .filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !isExcluded(name.toLowerCase()))
    .flat();
}

/** Returns names and values of `rawHeaders`. */
export function headerPairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? "", raw[2 * index + 1] ?? ""]);
}

/** Sends the headers of a message before its body. `flushHeaders` would encode their bytes as UTF-8. */
export function flushHead(message: OutgoingMessage): void {
  message.write("", "latin1");
}
