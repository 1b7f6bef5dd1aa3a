import { expect, test } from "vitest";
import { entryOfLine, linesOf, textOfEntries } from "./entry-text.ts";
import type { EgressPolicy } from "./policy-types.ts";
import { validateEgress } from "./validate.ts";

const validate = (text: string) =>
  validateEgress(
    { mode: "allowlist", entries: linesOf(text).map(entryOfLine) },
    { platform: { domain: "agents.example.com", refused: [] } },
  );

test("reads a line for each entry, with optional ports and methods", () => {
  const text = " api.example.com \r\n\n*.example.org\t443,8443  GET,head\ngit.example.org POST\n2001:db8::1 443";
  expect(linesOf(text).map(entryOfLine)).toEqual([
    { host: "api.example.com" },
    { host: "*.example.org", ports: [443, 8443], methods: ["GET", "head"] },
    { host: "git.example.org", methods: ["POST"] },
    { host: "2001:db8::1", ports: [443] },
  ]);
});

test("writes what it reads", () => {
  const entries: EgressPolicy["entries"] = [
    { host: "api.example.com" },
    { host: "git.example.org", methods: ["GET", "POST"] },
    { host: "*.example.org", ports: [443, 8443], methods: ["GET"] },
    { host: "[2606:4700:4700::1111]", ports: [443] },
  ];
  expect(validate(textOfEntries(entries))).toEqual({ policy: { mode: "allowlist", entries } });
});

test.each([
  ["api.example.com 80x", "has the method 80x"],
  ["api.example.com - GET", "has the method -"],
  ["api.example.com 0", "has the port 0"],
  ["api.example.com 443 GET /path", "has the method /path"],
  ["https://api.example.com", "is not a host"],
  ["api.example.com:443", "is not a host"],
])("%j has a fault that names the part", (line, message) => {
  expect(validate(line).faults?.[0].message).toContain(message);
});
