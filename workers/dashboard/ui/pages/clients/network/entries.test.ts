import { expect, test } from "vitest";
import { entriesOfText, textOfEntries } from "./entries.ts";

test("reads a line for each entry, with optional ports and methods", () => {
  const text = " api.example.com \n\n*.example.org 443,8443 GET,head\ngit.example.org POST\nb.example.org 80x";
  const entries = [
    { host: "api.example.com" },
    { host: "*.example.org", ports: [443, 8443], methods: ["GET", "head"] },
    { host: "git.example.org", methods: ["POST"] },
    { host: "b.example.org", ports: [Number.NaN] },
  ];
  expect(entriesOfText(text)).toEqual(entries);
  expect(entriesOfText(textOfEntries(entries.slice(0, 3)))).toEqual(entries.slice(0, 3));
});
