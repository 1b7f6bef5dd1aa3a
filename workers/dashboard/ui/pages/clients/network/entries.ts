/** Entries of a policy as lines of text: host, ports, methods. */
import type { EgressDraftEntry } from "#domain/egress/validate.ts";

interface Entry {
  readonly host: string;
  readonly ports?: readonly number[] | undefined;
  readonly methods?: readonly string[] | undefined;
}

const lineOf = ({ host, ports, methods }: Entry) =>
  [host, ports?.join(","), methods?.join(",")].filter(Boolean).join(" ");

export const textOfEntries = (entries: readonly Entry[]): string => entries.map(lineOf).join("\n");

/** Reads lines. A part that begins with a digit has ports, another one methods; the API names wrong ones. */
export function entriesOfText(text: string): EgressDraftEntry[] {
  return text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([host = "", ...parts]) => {
      if (host === "") return [];
      const listed = parts.flatMap((part) => part.split(",")).filter((part) => part !== "");
      const ports = listed.filter((part) => /^\d/.test(part)).map(Number);
      const methods = listed.filter((part) => !/^\d/.test(part));
      return [{ host, ...(ports.length > 0 && { ports }), ...(methods.length > 0 && { methods }) }];
    });
}
