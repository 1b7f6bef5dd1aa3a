/** The headers of a message that concern its content and not its connection (RFC 9110, 7.6.1). */
import { HOP_BY_HOP } from "@tenantry/std/hop-by-hop";

/** Of a request, as Node has them in `headersDistinct`, without `Host`. */
export function requestHeaders(headers: NodeJS.Dict<string[]>): Record<string, string[]> {
  const kept: Record<string, string[]> = {};
  const named = new Set((headers.connection ?? []).flatMap((value) => value.toLowerCase().split(/\s*,\s*/)));
  for (const [name, values] of Object.entries(headers)) {
    if (values === undefined || name === "host" || HOP_BY_HOP.has(name) || named.has(name)) continue;
    // Of all lists only cookies are not joined by commas.
    kept[name] = name === "cookie" ? [values.join("; ")] : values;
  }
  return kept;
}

/** Of an answer, as Node has them in `rawHeaders`. @param isLeftOut by lower-case name, what else goes no further */
export function answerHeaders(raw: readonly string[], isLeftOut: (name: string) => boolean): string[] {
  return pairs(raw)
    .filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !isLeftOut(name.toLowerCase()))
    .flat();
}

/** Names and values of `rawHeaders`. */
export function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? "", raw[2 * index + 1] ?? ""]);
}
