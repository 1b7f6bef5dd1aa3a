import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channelKinds } from "../channels/kinds.ts";
import { allowlistOf } from "./allowlist.ts";
import { channelHosts, type EgressChannel } from "./channel-hosts.ts";
import { compile } from "./decide.ts";
import { egressMethods, egressPolicy, MAX_EGRESS_ENTRIES } from "./policy-types.ts";
import { previewEgress } from "./preview.ts";
import { PLATFORM, recorded } from "./testing/policies.ts";
import { type EgressDraft, type EgressDraftEntry, normalHost, validateEgress } from "./validate.ts";

const validate = (entries: readonly EgressDraftEntry[], mode: EgressDraft["mode"] = "allowlist") =>
  validateEgress({ mode, entries }, { platform: PLATFORM });

const faultsOf = (...given: Parameters<typeof validateEgress>) =>
  (validateEgress(...given).faults ?? []).map(({ entry, reason }) => [entry, reason]);

describe("a host", () => {
  test.each([
    ["API.Example.ORG", "api.example.org"],
    [" api.example.org. ", "api.example.org"],
    ["Bücher.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
    ["api。example。org", "api.example.org"],
    ["*.Example.org.", "*.example.org"],
    ["*.bücher.example", "*.xn--bcher-kva.example"],
    ["_acme.example.org", "_acme.example.org"],
    ["93.184.216.34", "93.184.216.34"],
    ["0x5db8d822", "93.184.216.34"],
    ["1572395042", "93.184.216.34"],
    ["0135.0270.0330.042", "93.184.216.34"],
    ["2606:4700::1111", "[2606:4700::1111]"],
    ["[2606:4700:0:0::1111]", "[2606:4700::1111]"],
  ])("%j is stored as %s", (text, host) => {
    expect(validate([{ host: text }])).toEqual({ policy: { mode: "allowlist", entries: [{ host }] } });
  });

  test.each([
    ...["", " ", ".", "https://example.org", "example.org/path", "example.org:443", "user@example.org", "exa mple.org"],
    ...["api.*.example.org", "api*.example.org", "**.example.org", "*.*.example.org", "*example.org", "*。example.org"],
    ...[
      "*.93.184.216.34",
      "*.[2606:4700::1111]",
      "fe80::1%eth0",
      "[fe80::1%25eth0]",
      "1.2.3.4.5",
      "256.1.1.1",
      "-a.org",
    ],
    ...["a..org", "exa%6dple.org", "example.org?x", "example.org#x", "a\\b.org", `${"a".repeat(64)}.org`],
  ])("%j is invalid", (host) => {
    expect(faultsOf({ mode: "open", entries: [{ host }] }, { platform: PLATFORM })).toEqual([
      [0, "egress_entry_host_invalid"],
    ]);
  });

  test.each([...["*", "*.com", "*.co.uk", "*.github.io", "*.workers.dev", "*.CLOUDFRONT.net.", "*.s3.amazonaws.com"]])(
    "%s is too wide",
    (host) => {
      expect(faultsOf({ mode: "audit", entries: [{ host }] }, { platform: PLATFORM })).toEqual([
        [0, "egress_entry_too_wide"],
      ]);
    },
  );

  test.each([
    ...[
      "127.0.0.1",
      "localhost",
      "::ffff:8.8.8.8",
      "169.254.169.254",
      "metadata.google.internal",
      "*.internal",
      "router",
    ],
    ...["agents.example.com", "*.agents.example.com", "other.agents.example.com", "api.cloudflare.com"],
  ])("%s is always refused", (host) => {
    expect(faultsOf({ mode: "allowlist", entries: [{ host }] }, { platform: PLATFORM })).toEqual([
      [0, "egress_entry_always_refused"],
    ]);
  });
});

test("reports all faults with the index of their entry", () => {
  const entries: EgressDraftEntry[] = [
    { host: "api.example.org" },
    { host: "git.example.org", ports: [0, 443, 70_000, 1.5], methods: ["get", "CONNECT", "no method"] },
    { host: "API.example.org." },
    { host: "api.example.org", ports: [8443] },
    { host: "*" },
  ];
  expect(faultsOf({ mode: "allowlist", entries }, { platform: PLATFORM })).toEqual([
    ...[1, 1, 1].map((entry) => [entry, "egress_entry_port_invalid"]),
    ...[1, 1].map((entry) => [entry, "egress_entry_method_invalid"]),
    [2, "egress_entry_duplicate"],
    [4, "egress_entry_too_wide"],
  ]);
});

test("sorts ports and methods, and omits empty ones", () => {
  const entries = [
    { host: "a.example.org", ports: [8443, 443, 8443], methods: ["post", "GET"] },
    { host: "b.example.org", ports: [], methods: [] },
  ];
  expect(validate(entries).policy?.entries).toEqual([
    { host: "a.example.org", ports: [443, 8443], methods: ["GET", "POST"] },
    { host: "b.example.org" },
  ]);
});

test("accepts 1,000 entries, and refuses one more", () => {
  const entries = Array.from({ length: MAX_EGRESS_ENTRIES + 1 }, (_, index) => ({ host: `h${index}.example.org` }));
  expect(validate(entries.slice(1)).policy?.entries).toHaveLength(MAX_EGRESS_ENTRIES);
  expect(faultsOf({ mode: "open", entries }, { platform: PLATFORM })).toEqual([[undefined, "egress_entries_too_many"]]);
});

test("a valid policy is unchanged by another validation, and parses", () => {
  const label = fc.stringMatching(/^[A-Za-z0-9ü]{1,8}$/);
  const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join("."));
  const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.nat(0xffffffff).map(String));
  const entry = fc.record({
    host: fc.oneof(
      name,
      name.map((text) => `*.${text}.`),
      address,
    ),
    ports: fc.option(fc.array(fc.integer({ min: 1, max: 65_535 }), { maxLength: 4 }), { nil: undefined }),
    methods: fc.option(fc.array(fc.constantFrom(...egressMethods, "get"), { maxLength: 4 }), { nil: undefined }),
  });
  let valid = 0;
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
      const { policy } = validate(entries);
      if (policy === undefined) return;
      valid += 1;
      expect(validate(policy.entries)).toEqual({ policy });
      expect(egressPolicy.parse(JSON.parse(JSON.stringify(policy)))).toEqual(policy);
    }),
  );
  expect(valid).toBeGreaterThan(10);
});

test("an invalid host never becomes one, whatever its characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
      const host = normalHost(text);
      if (host === undefined) return;
      expect(host).toMatch(/^(?:\*\.)?(?:[a-z0-9_.-]+|\[[0-9a-f:]+\])$/);
      expect(normalHost(host)).toBe(host);
    }),
  );
});

describe("connected channels", () => {
  const faults = (
    hosts: readonly string[],
    channels: readonly EgressChannel[],
    mode: EgressDraft["mode"] = "allowlist",
  ) => {
    const entries = hosts.map((host) => ({ host }));
    return (validateEgress({ mode, entries }, { platform: PLATFORM, channels }).faults ?? []).map(
      ({ message }) => message,
    );
  };

  test("keep the hosts that they need", () => {
    expect(faults(["example.org"], [{ kind: "telegram" }])).toEqual([
      "The channel Telegram needs api.telegram.org, which the policy does not allow. Add api.telegram.org, or delete the channel.",
    ]);
    expect(faults(["discord.com", "gateway.discord.gg"], [{ kind: "discord" }])).toEqual([
      expect.stringContaining("Discord needs *.discord.gg"),
    ]);
    expect(faults(["matrix.example.org"], [{ kind: "matrix", server: "https://Matrix.example.org:8448" }])).toEqual([
      expect.stringContaining("Matrix needs matrix.example.org:8448"),
    ]);
    expect(faults(["matrix.example.org"], [{ kind: "matrix", server: "https://matrix.example.org/" }])).toEqual([]);
    expect(faults([], [{ kind: "matrix" }])).toEqual([]);
  });

  test("need nothing of a policy that lists no hosts", () => {
    for (const mode of ["open", "audit"] as const)
      expect(
        faults(
          [],
          channelKinds.map((kind) => ({ kind })),
          mode,
        ),
      ).toEqual([]);
  });

  test("can be allowed, except those without HTTP", () => {
    for (const kind of channelKinds) {
      const hosts = channelHosts({ kind });
      const messages = faults(hosts?.map(({ host }) => host) ?? [], [{ kind }]);
      if (hosts === undefined) expect([kind, messages.length]).toEqual(["irc", 1]);
      else expect(messages).toEqual([]);
    }
  });
});

describe("recorded traffic", () => {
  const hosts = [
    recorded("api.example.org", { requests: 5, program: "curl", lastAt: "2026-01-02T00:00:00.000Z" }),
    recorded("api.example.org", { port: 80, requests: 2 }),
    recorded("git.example.org", { port: 8443, requests: 9, refused: 2 }),
    recorded("10.0.0.1", { requests: 3, refused: 3, reason: "private-address" }),
    recorded("[2606:4700::1111]"),
  ];

  test("becomes an allowlist that allows what was allowed", () => {
    const policy = allowlistOf(hosts);
    expect(policy.entries).toEqual([
      { host: "[2606:4700::1111]" },
      { host: "api.example.org" },
      { host: "git.example.org", ports: [8443] },
    ]);
    expect(validateEgress(policy, { platform: PLATFORM })).toEqual({ policy });
    expect(previewEgress(compile([policy], PLATFORM), hosts)).toEqual([]);
  });

  test("becomes an allowlist of the most recent hosts when there are too many", () => {
    const many = Array.from({ length: MAX_EGRESS_ENTRIES + 5 }, (_, index) =>
      recorded(`h${index}.example.org`, { lastAt: new Date(index * 1_000).toISOString() }),
    );
    const listed = allowlistOf(many).entries.map(({ host }) => host);
    expect(listed).toHaveLength(MAX_EGRESS_ENTRIES);
    expect(listed).not.toContain("h4.example.org");
    expect(listed).toContain("h5.example.org");
  });

  test("is previewed: what was allowed and would be refused, the most requests first", () => {
    const compiled = compile(
      [{ mode: "allowlist", entries: [{ host: "api.example.org", methods: ["GET"], ports: [443] }] }],
      PLATFORM,
    );
    expect(
      previewEgress(compiled, hosts).map(({ host, port, requests, reason }) => [host, port, requests, reason]),
    ).toEqual([
      ["git.example.org", 8443, 7, "not-listed"],
      ["api.example.org", 80, 2, "port"],
      ["[2606:4700::1111]", 443, 1, "not-listed"],
    ]);
    expect(previewEgress(compile([{ mode: "audit", entries: [] }], PLATFORM), hosts)).toEqual([]);
  });
});
