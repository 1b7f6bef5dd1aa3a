import { describe, expect, test } from "vitest";
import { isPrivateHost } from "#domain/egress/addresses.ts";
import type { EgressEntry, EgressMode, EgressPolicy } from "#domain/egress/policy-types.ts";
import { type InterceptingContainer, Interceptions } from "../sandbox/interceptions.ts";
import { LOCAL_BLOCKS, networkPlan } from "./network-plan.ts";

const policy = (mode: EgressMode, ...entries: EgressEntry[]): EgressPolicy => ({ mode, entries });
const bound = { layers: [null, null], platform: { domain: "agents.example.com", refused: ["api.cloudflare.com"] } };

const addresses = (...layers: (EgressPolicy | null)[]) => {
  const { internet, interceptions } = networkPlan(layers, bound);
  const of = (wanted: string) =>
    interceptions.flatMap(({ protocol, address }) => (protocol === wanted ? [address] : []));
  const http = of("http");
  expect(of("https")).toEqual(http);
  return { internet, http };
};

describe("a plan", () => {
  const refused = [
    ...["agents.example.com", "*.agents.example.com", "api.cloudflare.com", "*.api.cloudflare.com"],
    ...LOCAL_BLOCKS,
  ];

  test("intercepts in each mode what is always refused", () => {
    expect(addresses(null)).toEqual({ internet: true, http: refused });
    expect(addresses(policy("open"))).toEqual({ internet: true, http: refused });
    expect(addresses(policy("audit"), null)).toEqual({ internet: true, http: [...refused, "*"] });
    expect(addresses(policy("audit"), policy("allowlist"))).toEqual({ internet: false, http: [...refused, "*"] });
  });

  test("intercepts other ports of the entries in an allowlist only, for every host: names are visible on port 80 only", () => {
    const layers = [
      policy("allowlist", { host: "*.example.org", ports: [80, 8443, 9000] }, { host: "b.test", ports: [9000] }),
      policy("audit", { host: "a.test", ports: [81] }),
    ];
    const before = networkPlan([policy("allowlist")], bound).interceptions;
    expect(networkPlan(layers, bound).interceptions.slice(before.length)).toEqual(
      [8443, 9000].flatMap((port) => [
        { protocol: "http", address: `0.0.0.0/0:${port}` },
        { protocol: "http", address: `[::/0]:${port}` },
        { protocol: "https", address: `*:${port}` },
      ]),
    );
    expect(
      networkPlan([policy("open"), policy("audit", { host: "a.test", ports: [81] })], bound).interceptions,
    ).toEqual(networkPlan([policy("audit")], bound).interceptions);
  });

  test("has only blocks that every policy refuses", () => {
    for (const block of LOCAL_BLOCKS) {
      const [address = ""] = block.split("/");
      expect(isPrivateHost(address.includes(":") ? new URL(`http://[${address}]`).hostname : address)).toBe(true);
    }
  });
});

describe("mappings", () => {
  const entrypoints = {
    metrics: "metrics",
    modelCalls: "model-calls",
    outbound: "outbound",
  };

  /** @param missing calls that the container does not support */
  function opened(missing: (protocol: string, address: string) => boolean = () => false) {
    const calls: string[] = [];
    const map = (protocol: string) => async (address: string, target: string) => {
      if (missing(protocol, address)) throw new Error("not supported");
      calls.push(`${protocol} ${address} ${target}`);
    };
    const container: InterceptingContainer<string> = {
      interceptOutboundHttp: map("http"),
      interceptAllOutboundHttp: (target) => map("http-all")("", target),
      interceptOutboundHttps: map("https"),
    };
    return { calls, interceptions: new Interceptions(container, entrypoints) };
  }

  const internal = ["http metrics.internal metrics", "http ai-gateway.internal model-calls"];

  test("are those of two hosts when no policy was ever stated", async () => {
    const { calls, interceptions } = opened();
    await interceptions.follow(null);
    expect([calls, interceptions.gaps, interceptions.hasHttps]).toEqual([internal, [], false]);
  });

  test("are added to a running container, each once, the internal hosts first", async () => {
    const { calls, interceptions } = opened();
    const open = networkPlan([], undefined);
    const audit = networkPlan([policy("audit")], undefined);
    await Promise.all([interceptions.follow(open), interceptions.follow(audit), interceptions.follow(open)]);
    const blocks = LOCAL_BLOCKS.flatMap((block) => [`http ${block} outbound`, `https ${block} outbound`]);
    expect(calls).toEqual([...internal, ...blocks, "http-all  outbound", "https * outbound"]);
  });

  test("that the runtime does not support are reported and opened later", async () => {
    let supports = false;
    const { calls, interceptions } = opened((protocol) => protocol === "https" && !supports);
    const plan = networkPlan([policy("allowlist", { host: "a.example.org", ports: [8443] })], undefined);
    await interceptions.follow(plan);
    expect([interceptions.gaps, interceptions.hasHttps]).toEqual([["https", "ports"], false]);
    supports = true;
    await interceptions.follow(plan);
    expect([interceptions.gaps, calls.at(-1)]).toEqual([[], "https *:8443 outbound"]);
  });
});
