import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, decide, refusalOf, strictestMode } from "./decide.ts";
import { type EgressEntry, type EgressPolicy, egressModes, MAX_EGRESS_ENTRIES } from "./policy-types.ts";
import { egressRefusalText } from "./refusals.ts";
import { EMPTY_PLATFORM, PLATFORM } from "./testing/policies.ts";

const allowing = (...entries: EgressEntry[]): EgressPolicy => ({ mode: "allowlist", entries });
const OPEN: EgressPolicy = { mode: "open", entries: [] };

/** Returns the reason for which a URL is refused, or `allowed`. */
function decided(layers: readonly (EgressPolicy | null)[], url: string, method = "GET") {
  const decision = decide(compile(layers, PLATFORM), { url: new URL(url), method });
  return decision.allow ? "allowed" : decision.reason;
}

describe("any policy refuses", () => {
  test.each([
    ["http://127.0.0.1/", "private-address"],
    ["http://2130706433/", "private-address"],
    ["http://0x7f.1/", "private-address"],
    ["http://0177.0.0.1/", "private-address"],
    ["http://127.1:8080/", "private-address"],
    ["http://127.0.0.1./", "private-address"],
    ["http://①②⑦.0.0.1/", "private-address"],
    ["http://0/", "private-address"],
    ["http://10.1.2.3/", "private-address"],
    ["http://172.31.255.255/", "private-address"],
    ["http://192.168.0.1/", "private-address"],
    ["http://100.64.0.1/", "private-address"],
    ["http://100.100.100.200/latest/meta-data", "private-address"],
    ["http://169.254.169.254/latest/meta-data", "private-address"],
    ["http://2852039166/", "private-address"],
    ["http://168.63.129.16/machine", "private-address"],
    ["http://198.18.0.1/", "private-address"],
    ["http://224.0.0.1/", "private-address"],
    ["http://255.255.255.255/", "private-address"],
    ["http://[::]/", "private-address"],
    ["http://[::1]/", "private-address"],
    ["http://[0:0:0:0:0:0:0:1]/", "private-address"],
    ["http://[::ffff:127.0.0.1]/", "private-address"],
    ["http://[::ffff:8.8.8.8]/", "private-address"],
    ["http://[::127.0.0.1]/", "private-address"],
    ["http://[64:ff9b::169.254.169.254]/", "private-address"],
    ["http://[64:ff9b:1::a00:1]/", "private-address"],
    ["http://[2002:7f00:1::]/", "private-address"],
    ["http://[2001:0:53aa:64c::]/", "private-address"],
    ["http://[fe80::1]/", "private-address"],
    ["http://[fd00:ec2::254]/", "private-address"],
    ["http://[ff02::1]/", "private-address"],
    ["http://[2001:db8::1]/", "private-address"],
    ["http://localhost/", "private-address"],
    ["http://LOCALHOST./", "private-address"],
    ["http://tenant.localhost:8787/", "private-address"],
    ["http://metadata.google.internal/computeMetadata/v1/", "private-address"],
    ["http://printer.local/", "private-address"],
    ["http://metadata/", "private-address"],
    ["https://agents.example.com/", "control-host"],
    ["https://other.agents.example.com/", "control-host"],
    ["https://OTHER.Agents.Example.com./", "control-host"],
    ["https://a.b.agents.example.com:8443/", "control-host"],
    ["https://api.cloudflare.com/client/v4", "control-host"],
    ["https://team.cloudflareaccess.com/", "control-host"],
    ["ftp://example.org/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["data:text/plain,x", "scheme"],
    ["gopher://example.org/", "scheme"],
    ["https://./", "scheme"],
  ])("%s: %s", (url, reason) => {
    // Even one that lists the host: validation rejects it, but an earlier release may have stored it.
    const { hostname, port } = new URL(url);
    const listed = allowing({ host: hostname, ports: [80, 443, Number(port || 80)] });
    for (const layers of [[], [null], [OPEN], [listed]]) expect(decided(layers, url)).toBe(reason);
  });

  test.each(["CONNECT", "connect", "TRACE", "TRACK"])("the method %s", (method) => {
    expect(decided([], "https://example.org/", method)).toBe("method");
  });
});

test.each([
  "http://11.0.0.1/",
  "http://172.32.0.1/",
  "http://100.128.0.1/",
  "http://93.184.216.34/",
  "http://[2606:4700::1111]/",
  "http://[2a00:1450::1]/",
  "https://xagents.example.com/",
  "https://example.com/",
  "https://agents.example.com.evil.org/",
  "https://10.0.0.1.evil.org/",
  "wss://example.org/socket",
  "https://user:secret@example.org:8443/",
])("an open policy allows %s", (url) => {
  expect(decided([OPEN], url, "PURGE")).toBe("allowed");
});

describe("an allowlist", () => {
  const policy = allowing(
    { host: "api.example.org" },
    { host: "*.example.net" },
    { host: "git.example.org", ports: [443, 8443], methods: ["GET", "HEAD"] },
    { host: "git.example.org", ports: [9000], methods: ["POST"] },
    { host: "93.184.216.34" },
    { host: "[2606:4700::1111]" },
    { host: "xn--bcher-kva.example" },
  );
  test.each([
    ["https://api.example.org/x?y", "GET", "allowed"],
    ["http://API.Example.org./", "DELETE", "allowed"],
    ["wss://api.example.org/", "GET", "allowed"],
    ["https://api.example.org:8443/", "GET", "port"],
    ["https://www.api.example.org/", "GET", "not-listed"],
    ["https://example.org/", "GET", "not-listed"],
    ["https://example.net/", "GET", "not-listed"],
    ["https://a.example.net/", "GET", "allowed"],
    ["https://a.b.example.net/", "GET", "allowed"],
    ["https://aexample.net/", "GET", "not-listed"],
    ["https://a.example.net.evil.org/", "GET", "not-listed"],
    ["https://git.example.org:8443/", "get", "allowed"],
    ["https://git.example.org:8443/", "POST", "method"],
    ["https://git.example.org:9000/", "POST", "allowed"],
    ["https://git.example.org:9000/", "GET", "method"],
    ["http://git.example.org/", "GET", "port"],
    ["http://93.184.216.34/", "GET", "allowed"],
    ["http://0x5db8d822/", "GET", "allowed"],
    ["http://93.184.216.35/", "GET", "not-listed"],
    ["http://[2606:4700:0::1111]/", "GET", "allowed"],
    ["https://BÜCHER.example/", "GET", "allowed"],
    ["https://bücher.example./", "GET", "allowed"],
  ])("decides %s with %s: %s", (url, method, result) => {
    expect(decided([null, OPEN, policy], url, method)).toBe(result);
  });

  test("must list a request in each layer", () => {
    const narrower = allowing({ host: "*.example.net", methods: ["GET"] }, { host: "other.example.org" });
    const both = [policy, narrower];
    expect(decided(both, "https://a.example.net/")).toBe("allowed");
    expect(decided(both, "https://a.example.net/", "POST")).toBe("method");
    expect(decided(both, "https://api.example.org/")).toBe("not-listed");
    expect(decided(both, "https://other.example.org/")).toBe("not-listed");
    expect(decided([policy, allowing()], "https://a.example.net/")).toBe("not-listed");
  });

  test("is compiled so that a decision reads no entries of other hosts", () => {
    const entries = Array.from({ length: MAX_EGRESS_ENTRIES }, (_, index) => ({
      host: `${index % 2 === 0 ? "" : "*."}host-${index}.example.org`,
    }));
    const compiled = compile([allowing(...entries)], EMPTY_PLATFORM);
    const reads: string[] = [];
    const spied = {
      ...compiled,
      allowlists: compiled.allowlists.map(({ exact, below }) => ({ exact: spy(exact), below: spy(below) })),
    };
    function spy<V>(map: ReadonlyMap<string, V>): ReadonlyMap<string, V> {
      return new Proxy(map, {
        get(target, name) {
          if (name !== "get") throw new Error(`a decision used ${String(name)}`);
          return (key: string) => {
            reads.push(key);
            return target.get(key);
          };
        },
      });
    }
    expect(refusalOf(spied, { host: "a.host-999.example.org", port: 443 })).toBeUndefined();
    expect(reads).toEqual([...["a.host-999.example.org", "host-999.example.org", "example.org", "org"]]);
    for (const { host } of entries)
      expect(refusalOf(compiled, { host: host.replace("*", "a"), port: 443 })).toBeUndefined();
    expect(refusalOf(compiled, { host: "host-1000.example.org", port: 443 })).toBe("not-listed");
  });
});

test("the strictest mode of the layers is in force", () => {
  expect(strictestMode([])).toBe("open");
  expect(strictestMode([null])).toBe("open");
  expect(strictestMode([{ mode: "audit", entries: [] }, null, OPEN])).toBe("audit");
  expect(strictestMode([OPEN, allowing(), { mode: "audit", entries: [] }])).toBe("allowlist");
});

describe("for all policies", () => {
  const name = fc.constantFrom("example.org", "a.example.org", "b.a.example.org", "example.net", "93.184.216.34");
  const ports = fc.option(fc.subarray([80, 443, 8443], { minLength: 1 }), { nil: undefined });
  const methods = fc.option(fc.subarray(["GET", "POST"] as const, { minLength: 1 }), { nil: undefined });
  const host = fc.oneof(
    name,
    name.map((text) => `*.${text}`),
  );
  const entry = fc.record({ host, ports, methods });
  const policy: fc.Arbitrary<EgressPolicy> = fc.record({
    mode: fc.constantFrom(...egressModes),
    entries: fc.array(entry, { maxLength: 6 }),
  });
  const layers = fc.array(fc.option(policy), { maxLength: 3 });
  const target = fc.record({
    host: fc.oneof(name, fc.constantFrom("10.0.0.1", "a.agents.example.com")),
    port: fc.constantFrom(80, 443, 8443),
    method: fc.constantFrom("GET", "POST", "CONNECT"),
  });

  test("a further layer allows nothing more, and weakens no mode", () => {
    fc.assert(
      fc.property(layers, fc.option(policy), fc.nat(), target, (given, added, at, request) => {
        const more = given.toSpliced(at % (given.length + 1), 0, added);
        const before = refusalOf(compile(given, PLATFORM), request);
        if (before !== undefined) expect(refusalOf(compile(more, PLATFORM), request)).toBeDefined();
        expect(egressModes.indexOf(strictestMode(more))).toBeGreaterThanOrEqual(
          egressModes.indexOf(strictestMode(given)),
        );
      }),
    );
  });

  test("a decision is the same as one that scans all entries", () => {
    const matches = (rule: EgressEntry, { host, port, method }: { host: string; port: number; method: string }) =>
      (rule.host.startsWith("*.") && host !== "93.184.216.34"
        ? host.endsWith(rule.host.slice(1))
        : host === rule.host) &&
      (rule.ports ?? [80, 443]).includes(port) &&
      (rule.methods?.some((known) => known === method) ?? true);
    fc.assert(
      fc.property(layers, target, (given, request) => {
        const listed = given.every(
          (layer) => layer?.mode !== "allowlist" || layer.entries.some((rule) => matches(rule, request)),
        );
        const always = refusalOf(compile([], PLATFORM), request) === undefined;
        expect(refusalOf(compile(given, PLATFORM), request) === undefined).toBe(always && listed);
      }),
    );
  });
});

test("states each reason with host, port and method", () => {
  const values = { host: "git.example.org", port: 9000, method: "PUT" };
  expect(egressRefusalText("port", values)).toContain("git.example.org, but not its port 9000");
  expect(egressRefusalText("method", values)).toContain("the method PUT");
  expect(egressRefusalText("not-listed", values)).toMatch(/^The policy does not list git\.example\.org\. \S/);
});
