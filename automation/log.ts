/** The service's log: one JSON line an event on standard output. Never a secret or an e-mail address. */

export type Level = "info" | "warn" | "error";
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;
export type Log = (level: Level, event: string, fields?: Fields) => void;

/** An address, and a URL's user and password, which end in one too. */
const ADDRESS = /[^\s<>"',;]+@[^\s<>"',;]+/g;

/** A text of others' making without the addresses in it. */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, "…@…");

/** @param write takes a line. Default: standard output */
export function lineLog(write: (line: string) => unknown = (line) => process.stdout.write(line)): Log {
  return (level, event, fields = {}) => {
    const clean = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? withoutAddresses(value) : value,
    ]);
    write(`${JSON.stringify({ ts: new Date().toISOString(), level, event, ...Object.fromEntries(clean) })}\n`);
  };
}
