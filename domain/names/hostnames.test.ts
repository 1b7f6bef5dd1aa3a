import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { environments } from "../environment.ts";
import { slugOfHostname, tenantHostname } from "./hostnames.ts";
import { isSlug, labelFault, slugFault } from "./slug.ts";

const slug = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,57}[a-z0-9]$/).filter(isSlug);

describe("slugOfHostname", () => {
  test("finds the slug in every hostname built from it, in any case and with a trailing dot", () => {
    fc.assert(
      fc.property(slug, fc.constantFrom(...environments), (value, environment) => {
        fc.pre(labelFault(value, environment) === undefined);
        const host = tenantHostname(value, environment, "platform.example");
        expect(slugOfHostname(host, environment, "platform.example")).toBe(value);
        expect(slugOfHostname(`${host.toUpperCase()}.`, environment, "Platform.example")).toBe(value);
      }),
    );
  });

  test("never finds a tenant in a host of another environment", () => {
    fc.assert(
      fc.property(slug, fc.constantFrom(...environments), fc.constantFrom(...environments), (value, own, other) => {
        fc.pre(own !== other);
        expect(slugOfHostname(tenantHostname(value, other, "p.example"), own, "p.example")).toBeUndefined();
      }),
    );
  });

  test("finds a slug only in the exact host built from it", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "acme",
        "ACME",
        "dash",
        "dev-dash",
        "xn--a",
        "-dev",
        "-staging",
        ".",
        "..",
        "p.example",
        ".p.example",
        "P.Example",
        ":80",
      ),
      fc.constantFrom("\u212a", "\u0130", "\u00ad", "\u3002", "%2e", "\0", "@", "/", " "),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    const host = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(host, fc.boolean(), fc.constantFrom(...environments), (start, whole, environment) => {
        const given = whole ? start : `${start}.p.example`;
        const found = slugOfHostname(given, environment, "p.example");
        if (found === undefined) return;
        expect(slugFault(found)).toBeUndefined();
        const hosts = ["", "."].map((dot) => tenantHostname(found, environment, "p.example") + dot);
        expect(hosts).toContain(given.toLowerCase());
      }),
      { numRuns: 5_000 },
    );
  });

  test("finds no slug that is too long for the environment's suffix", () => {
    expect(slugOfHostname(`${"a".repeat(56)}-staging.p.example`, "staging", "p.example")).toBeUndefined();
  });

  test.each(["p.example", "a.b.p.example", "dash.p.example", "acme.p.example.evil", "127.0.0.1", "", ".p.example"])(
    "finds none in %j",
    (host) => {
      expect(slugOfHostname(host, "production", "p.example")).toBeUndefined();
    },
  );
});
