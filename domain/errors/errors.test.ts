/** Rules of the catalogue of errors. */
import { expect, test } from "vitest";
import { errorAreas } from "./all.ts";
import { errorCodes } from "./codes.ts";

const entries = errorAreas.flatMap((area) => area.entries);

/** Reasons of the entries that break a rule. */
const breaking = (isBroken: (entry: (typeof entries)[number]) => boolean): string[] =>
  entries.filter(isBroken).map(({ reason }) => reason);

test("names each error once, in snake case", () => {
  const reasons = entries.map(({ reason }) => reason);
  expect(reasons.filter((reason, index) => reasons.indexOf(reason) !== index)).toEqual([]);
  expect(reasons.filter((reason) => !/^[a-z]+(_[a-z0-9]+)+$/.test(reason))).toEqual([]);
});

test("states each error and its remedy in sentences", () => {
  // A message may start with an option, a command or a setting. A text may end with a value, a list, a command or an address.
  const START = /^(["'A-Z{]|--|tenantry:|(move|repair|restore|rotate) )/;
  const END = /[.)}]$|--(finish|force)$|(STACK|FILE|HOST|localhost)$/;
  const isSentence = (text: string) => START.test(text) && END.test(text);
  expect(breaking(({ message }) => !isSentence(message) || /^\{\w+\}$/.test(message))).toEqual([]);
  expect(breaking(({ remedy }) => !isSentence(remedy))).toEqual([]);
});

test("starts each remedy of a response with what to do", () => {
  // A remedy that starts with one of these describes a state instead. The service states what it does next after some errors.
  const descriptive = /^(The|A|An|It|Its|This|That|You|Only|There|No|Not|One)\b/;
  expect(
    breaking(({ code, remedy }) => code !== undefined && (!/^[A-Z][a-z]+\b/.test(remedy) || descriptive.test(remedy))),
  ).toEqual([]);
});

test("writes placeholders as {name}", () => {
  const others = /\$\{|%[sd]|\{\}|\{\w*[^\w}\s"][^}]*\}/;
  expect(breaking(({ message, remedy }) => others.test(`${message} ${remedy}`))).toEqual([]);
});

test("names the required role where a role denies permission", () => {
  const denied = ({ message, remedy }: (typeof entries)[number]) =>
    /permission denied/i.test(message) && !/\bROOT\b|\bright\b|\{permission\}/.test(`${message} ${remedy}`);
  expect(breaking(denied)).toEqual([]);
});

test("uses every general code", () => {
  const used = new Set(entries.map(({ code }) => code));
  expect(Object.keys(errorCodes).filter((code) => !used.has(code as keyof typeof errorCodes))).toEqual([]);
});
