import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Address, addressOf, isControl } from "./address.ts";

const of = (url: string, ...host: string[]): Address | undefined =>
  addressOf({ url, headersDistinct: host.length === 0 ? {} : { host } } as unknown as IncomingMessage);

const piece = fc.oneof(
  fc.constantFrom(
    "acme",
    "ACME",
    ".",
    "..",
    ".test",
    "xn--a",
    "127.0.0.1",
    "localhost",
    "[::1]",
    "0x7f.1",
    "%61",
    "%2e",
  ),
  fc.constantFrom(":80", ":8787", ":", "@", "/", "?", "#", "\\", " ", "\t", "\0", "\u00e9", "\u3002", "\uff21"),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const line = fc.oneof(
  text.map((path) => `/${path}`),
  text,
  fc.tuple(fc.constantFrom("http://", "https://", "HTTP://", "ftp://", "//"), text).map((parts) => parts.join("")),
  fc.constantFrom("*", "", "acme.test:443"),
);

describe("the address of a request", () => {
  test("is one plain address or none, for any request line and hosts", () => {
    fc.assert(
      fc.property(line, fc.array(text, { maxLength: 2 }), (requestLine, hosts) => {
        const address = of(requestLine, ...hosts);
        if (address === undefined) return;
        const { url, outbound } = address;
        expect(hosts.length).toBeLessThan(2);
        expect(outbound).toBe(/^https?:\/\//i.test(requestLine));
        expect(["http:", "https:"]).toContain(url.protocol);
        expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
        // Parsing the host again gives the same result.
        expect(new URL(`${url.protocol}//${url.host}/`).host).toBe(url.host);
        expect(url.hostname).toMatch(/^[^A-Z\s/@\\]+$/);
        if (!outbound) expect(url.pathname).toMatch(/^\//);
      }),
      { numRuns: 3_000 },
    );
  });

  test("has the same host for any case, port and trailing dot", () => {
    const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/).filter((name) => !name.startsWith("xn--"));
    fc.assert(
      fc.property(label, fc.boolean(), fc.boolean(), fc.constantFrom("", ":80", ":9"), (name, upper, dot, port) => {
        const host = `${name}.tenantry.test`;
        expect(of("/", `${upper ? host.toUpperCase() : host}${dot ? "." : ""}${port}`)?.url.hostname).toBe(host);
      }),
    );
  });

  test("is this machine for loopback names only", () => {
    for (const host of ["127.0.0.1", "localhost", "LOCALHOST:1", "localhost.", "[::1]:8787", "0x7f.1", "2130706433"])
      expect([host, isControl(of("/", host) as Address, 8787)]).toEqual([host, true]);
    for (const host of ["127.0.0.2", "acme.localhost", "localhost.test", "[::2]", "localhost.."])
      expect([host, isControl(of("/", host) as Address, 8787)]).toEqual([host, false]);
    expect(isControl(of("http://127.0.0.1:5432/") as Address, 8787)).toBe(false);
    expect(isControl(of("http://127.0.0.1:8787/") as Address, 8787)).toBe(true);
  });
});
