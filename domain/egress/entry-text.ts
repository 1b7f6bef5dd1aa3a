/** Entries of a policy as people write them: `host [ports] [METHODS]`, one on a line. */
import type { EgressDraftEntry } from "./validate.ts";

/** Returns a line for each entry. */
export const textOfEntries = (entries: readonly EgressDraftEntry[]): string => entries.map(lineOf).join("\n");

const lineOf = ({ host, ports, methods }: EgressDraftEntry): string =>
  [host, ports?.join(","), methods?.join(",")].filter(Boolean).join(" ");

/** Returns the lines of a text that have an entry. */
export const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Reads a line. Numbers are ports and all else is a method: `validateEgress` names wrong ones. */
export function entryOfLine(line: string): EgressDraftEntry {
  const [host = "", ...parts] = line.trim().split(/\s+/);
  const listed = parts.flatMap((part) => part.split(",")).filter((part) => part !== "");
  const isNumber = (part: string) => /^\d+$/.test(part);
  const ports = listed.filter(isNumber).map(Number);
  const methods = listed.filter((part) => !isNumber(part));
  return { host, ...(ports.length > 0 && { ports }), ...(methods.length > 0 && { methods }) };
}
