/** The service's log: one JSON line per event on standard output, without secrets and e-mail addresses. */

export type Level = "info" | "warn" | "error";
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;
export type Log = (level: Level, event: string, fields?: Fields) => void;

/** An e-mail address, or the user and password of a URL. */
const ADDRESS = /[^\s<>"',;]+@[^\s<>"',;]+/g;

/** Removes e-mail addresses from a text. */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, "…@…");

/** @param write receives lines. Default: standard output */
export function lineLog(write: (line: string) => unknown = (line) => process.stdout.write(line)): Log {
  return (level, event, fields = {}) => {
    const clean = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? withoutAddresses(value) : value,
    ]);
    write(`${JSON.stringify({ ts: new Date().toISOString(), level, event, ...Object.fromEntries(clean) })}\n`);
  };
}
