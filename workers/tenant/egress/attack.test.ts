/** Attacks on the egress policy from inside a container with its own network, through the real Worker and its interception. */
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:https";
import { probeNetwork } from "@tenantry/edge/containers";
import { issueCertificate } from "@tenantry/edge/testing/certificate";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { describe, expect } from "vitest";
import type { EgressEntry, EgressMode } from "#domain/egress/policy-types.ts";
import { EGRESS_PATH } from "#workers/contracts/tenant/egress.ts";
import { running } from "../testing/backup-tenant.ts";
import { eventually, type OpenTenant, type Tenant } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";
import { type Internet, startInternet } from "./testing/internet.ts";

const PLATFORM = { domain: "agents.example.com", refused: ["api.cloudflare.com"] };
const ENTRIES: EgressEntry[] = [
  ...[{ host: "allowed.example" }, { host: "*.wild.example" }, { host: "xn--bcher-kva.example" }],
  ...[
    { host: "plain.example", ports: [80] },
    { host: "reader.example", methods: ["GET" as const] },
    { host: "*.ported.example", ports: [7080, 7443] },
  ],
];
/** URLs that a Worker may request in the mode `allowlist`. */
const REACHABLE =
  /^(?:https?:\/\/a\.ported\.example:7(?:080|443)|https?:\/\/(?:allowed\.example\.?|a\.wild\.example|xn--bcher-kva\.example)|http:\/\/plain\.example)\//;
const DAY_MS = 86_400_000;
const CA = "/etc/cloudflare/certs/cloudflare-containers-ca.crt";
/** Exit codes of curl for a connection that is refused, not secured, without a response, or lost. */
const NO_CONNECTION = /^exit (?:7|28|35|52|56)$/;

const probed = await probeNetwork();
if (probed.kind === "shared")
  console.warn(`SKIPPED: attacks on the egress policy, which need own networks: ${probed.reason}`);
const everyPort = probed.kind === "own" && probed.everyPort === true;
if (!everyPort) console.warn("SKIPPED: attacks on other ports, which need iptables with TPROXY, and Perl.");

async function openIn(
  mode: EgressMode,
  openTenant: OpenTenant,
  internet: Internet,
  standIns: Record<string, string> = {},
): Promise<Tenant> {
  const tenant = await openTenant(undefined, {
    network: "own",
    internet: standIns,
    internetProxy: internet.address,
    bindings: { EGRESS_BOUND: JSON.stringify({ layers: [null, null], platform: PLATFORM }) },
  });
  await replace(tenant, mode, ENTRIES);
  // The container starts with the policy.
  await running(tenant);
  return tenant;
}

async function replace(tenant: Tenant, mode: EgressMode, entries: EgressEntry[]): Promise<void> {
  const order = { revision: crypto.randomUUID(), layers: [null, { mode, entries }], secrets: [] };
  const { status } = await tenant.fetch(EGRESS_PATH, { method: "PUT", body: JSON.stringify(order) });
  expect(status).toBe(204);
}

const test = base
  .extend("internet", { scope: "file" }, async ({ onFileFinished }) => {
    const internet = await startInternet();
    onFileFinished(() => internet.stop());
    // `?to=` redirects.
    internet.redirect = (url) => new URL(url).searchParams.get("to") ?? undefined;
    return internet;
  })
  .extend("limited", { scope: "file" }, ({ openFileTenant, internet }) => openIn("allowlist", openFileTenant, internet))
  .extend("free", { scope: "file" }, ({ openFileTenant, internet }) => openIn("open", openFileTenant, internet));

test.afterEach(({ internet }) => {
  internet.received.length = 0;
});

/** Runs a shell command in a container. @returns its output, and its exit code if it failed */
const run = (tenant: Tenant, command: string) =>
  tenant.inside(["sh", "-c", `${command} 2>/dev/null || echo "exit $?"`]).then((output) => output.trim());

/** Runs curl in a container. @returns the reason of a refusal, the body of a response, or curl's exit code */
async function curl(tenant: Tenant, ...given: readonly string[]): Promise<string> {
  const quoted = given.map((part) => `'${part}'`).join(" ");
  const output = await run(tenant, `curl -sgk -m 5 ${quoted}`);
  if (!output.startsWith("{")) return output;
  return JSON.parse(output).error.reason;
}

const to = (url: string, next: string) => `${url}?to=${encodeURIComponent(next)}`;
const host = (name: string) => ["-H", `Host: ${name}`];

describe.skipIf(probed.kind === "shared")("in the mode allowlist", () => {
  test("reaches a listed host by each protocol, with the container's authority", async ({ limited }) => {
    for (const url of ["http://allowed.example/a", "https://allowed.example/a", "https://a.wild.example/"])
      expect(await run(limited, `curl -sm 5 --cacert ${CA} ${url}`)).toBe(url);
    // HTTP/2 is offered, and HTTP/1.1 chosen.
    expect(await run(limited, `curl -sm 5 --http2 --cacert ${CA} https://allowed.example/`)).toBe(
      "https://allowed.example/",
    );
  });

  test.for([
    ["another host", "not-listed", "http://refused.example/"],
    ["another host by HTTPS", "not-listed", "https://refused.example/"],
    ["a parent of listed hosts", "not-listed", "http://wild.example/"],
    ["a name that ends as a listed one", "not-listed", "http://evil-allowed.example/"],
    ["a name that begins as a listed one", "not-listed", "http://allowed.example.evil.example/"],
    ["mixed case", "not-listed", "https://REFUSED.Example/"],
    ["a name that resembles a listed one", "not-listed", ...host("аllowed.example"), "http://xn--llowed-2nf.example/"],
    ["an address", "not-listed", "http://93.184.216.34/"],
    ["an address as a number", "not-listed", "http://1572395042/"],
    ["an IPv6 address", "not-listed", "http://[2606:4700:4700::1111]/"],
    ["a private address", "private-address", "http://10.0.0.1/"],
    ["metadata", "private-address", "http://169.254.169.254/latest/meta-data"],
    ["a private IPv6 address", "private-address", "http://[fd00:ec2::254]/"],
    ["an IPv4 address in IPv6", "private-address", "http://[::ffff:10.0.0.1]/"],
    ["a tenant's host", "control-host", "https://hooli.agents.example.com/"],
    ["the API of the account", "control-host", "https://api.cloudflare.com/client/v4"],
    ["a port that is not listed", "port", "https://plain.example/"],
    ["a method that is not listed", "method", "-d", "x", "https://reader.example/"],
    ["TRACE", "method", "-X", "TRACE", "http://allowed.example/"],
    // The connection is to a listed host.
    ["another host in the header", "not-listed", ...host("refused.example"), "http://allowed.example/"],
    ["another host in the header than in SNI", "not-listed", ...host("refused.example"), "https://allowed.example/"],
    ["a private address in the header", "private-address", ...host("10.0.0.1"), "http://allowed.example/"],
    ["another port in the header", "port", ...host("allowed.example:8080"), "http://allowed.example/"],
    ["a user in the header", "not-listed", ...host("allowed.example@refused.example"), "http://allowed.example/"],
    ["another host in the request line", "not-listed", "-x", "http://allowed.example:80", "http://refused.example/"],
    ["no host", "not-listed", "-0", "-H", "Host:", "http://allowed.example/"],
    // Each hop is a request of its own.
    ["a redirect", "not-listed", "-L", to("http://allowed.example/", "http://refused.example/")],
    ["a redirect to HTTPS", "not-listed", "-L", to("http://allowed.example/", "https://refused.example/")],
    ["a redirect to metadata", "private-address", "-L", to("https://allowed.example/", "http://169.254.169.254/")],
    ["a redirect to a tenant", "control-host", "-L", to("http://plain.example/", "https://hooli.agents.example.com/")],
    [
      ...["two redirects", "not-listed", "-L"],
      to("http://allowed.example/", to("https://a.wild.example/", "https://refused.example/")),
    ],
    // `curl` waits for the 101 of a WebSocket.
    [
      ...["a WebSocket", "not-listed", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket"],
      ...["-H", "Sec-WebSocket-Version: 13", "-H", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
      "http://refused.example/",
    ],
  ] as const)("refuses %s: %s", async ([, reason, ...args], { limited, internet }) => {
    expect(await curl(limited, ...args)).toBe(reason);
    for (const { url } of internet.received) expect(url).toMatch(REACHABLE);
  });

  test.for([
    ["HTTPS to an address, without a name", "https://93.184.216.34/"],
    ["HTTPS to an IPv6 address", "https://[2606:4700:4700::1111]/"],
    ["a port of another protocol", "telnet://allowed.example:22"],
    ["HTTP on a port that is not listed", "http://allowed.example:8080/"],
    ["HTTP on a port of another protocol", "http://allowed.example:6667/"],
    ["HTTP/2 without TLS", "--http2-prior-knowledge", "http://allowed.example/"],
    ["an address of the container", "--resolve", "allowed.example:80:127.0.0.1", "http://allowed.example/"],
    ["another protocol on a port of HTTP", "telnet://allowed.example:80"],
  ] as const)("ends %s", async ([, ...args], { limited, internet }) => {
    expect(await curl(limited, ...args)).toMatch(NO_CONNECTION);
    expect(internet.received).toEqual([]);
  });

  test.for([
    ["another host", "-p", "-x", "http://allowed.example:80", "http://refused.example/"],
    ["a listed host", "-x", "http://allowed.example:80", "https://allowed.example/"],
    ["a listed host by TLS", "--proxy-insecure", "-x", "https://allowed.example", "https://allowed.example/"],
  ] as const)("refuses a tunnel of CONNECT to %s with a reason", async ([, ...args], { limited, internet }) => {
    expect(await curl(limited, "-w", "%{http_connect}", ...args)).toMatch(/^405exit \d+$/);
    expect(internet.received).toEqual([]);
  });

  test("reads the reason of a refused CONNECT", async ({ limited }) => {
    const program = `require("http").request({ host: "allowed.example", method: "CONNECT", path: "refused.example:443" }).on("connect", (response, socket, head) => { process.stdout.write(response.statusCode + " " + head); socket.on("data", (data) => process.stdout.write(data)).on("end", () => process.exit()); }).end()`;
    const [status = "", body = ""] = (await run(limited, `node -e '${program}'`)).split(/ (.*)/);
    expect([status, JSON.parse(body).error.reason]).toEqual(["405", "method"]);
  });

  test.for([
    // The Worker requests the host of the header itself: it never connects to an address that the container chose.
    ["of another address", "http://allowed.example/", ...host("allowed.example"), "http://93.184.216.34/"],
    ["of a private address", "http://allowed.example/", ...host("allowed.example"), "http://10.0.0.1/"],
    ["of another name in SNI", "https://allowed.example/", ...host("allowed.example"), "https://refused.example/"],
    [
      ...["that resolves to a private address", "http://allowed.example/"],
      ...["--resolve", "allowed.example:80:10.0.0.1", "http://allowed.example/"],
    ],
    ["in mixed case", "http://allowed.example/", "http://ALLOWED.example/"],
    ["with a trailing dot", "http://allowed.example./", "http://allowed.example./"],
    ["in punycode", "http://xn--bcher-kva.example/", ...host("XN--BCHER-KVA.example"), "http://allowed.example/"],
    ["in Unicode", "http://xn--bcher-kva.example/", ...host("bücher.example"), "http://allowed.example/"],
    ["after a redirect", "https://allowed.example/b", "-L", to("http://plain.example/", "https://allowed.example/b")],
  ] as const)("reaches a listed host %s at its own address", async ([, url, ...args], { limited, internet }) => {
    expect(await curl(limited, ...args)).toBe(url);
    for (const { url: requested } of internet.received) expect(requested).toMatch(REACHABLE);
  });

  test("decides each request of a connection, and no smuggled one", async ({ limited, internet }) => {
    const request = (name: string, more = "") => `GET / HTTP/1.1\\r\\nHost: ${name}\\r\\n${more}\\r\\n`;
    const send = (text: string) =>
      `require("net").connect(80, "allowed.example", function () { this.write("${text}"); setTimeout(() => this.end(), 2000); }).on("error", () => {}).pipe(process.stdout)`;
    const statuses = async (text: string) =>
      [...(await run(limited, `node -e '${send(text)}'`)).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(await statuses(request("allowed.example") + request("refused.example"))).toEqual(["200", "403"]);
    expect(await statuses(request("refused.example") + request("allowed.example"))).toEqual(["403", "200"]);
    const inner = request("refused.example");
    const both = `Content-Length: ${inner.length}\\r\\nTransfer-Encoding: chunked\\r\\n`;
    const smuggled = [
      request("allowed.example", "Host: refused.example\\r\\n"),
      `${request("allowed.example", both)}0\\r\\n\\r\\n${inner}`,
      `${request("allowed.example", "Transfer-Encoding : chunked\\r\\n")}0\\r\\n\\r\\n${inner}`,
    ];
    for (const text of smuggled) await statuses(text);
    for (const { url } of internet.received) expect(url).toMatch(REACHABLE);
  });
});

describe.skipIf(!everyPort)("on another port than 80 and 443, in the mode allowlist", () => {
  test.for(["http://a.ported.example:7080/", "https://a.ported.example:7443/", "https://a.ported.example:7080/"])(
    "reaches %s, which is listed",
    async (url, { limited }) => {
      expect(await run(limited, `curl -sm 5 --cacert ${CA} ${url}`)).toBe(url);
    },
  );

  test.for([
    ["the port of another host", "port", "http://allowed.example:7080/"],
    ["the port of another host by HTTPS", "port", "https://allowed.example:7443/"],
    ["another host", "not-listed", "http://refused.example:7080/"],
    ["another host by HTTPS", "not-listed", "https://refused.example:7080/"],
    ["another host in the header", "not-listed", ...host("refused.example:7080"), "http://a.ported.example:7080/"],
    ["an address", "not-listed", "http://93.184.216.34:7080/"],
    ["a private address", "private-address", "http://10.0.0.1:7080/"],
    ["a private IPv6 address", "private-address", "http://[fd00:ec2::254]:7080/"],
  ] as const)("refuses %s: %s", async ([, reason, ...args], { limited, internet }) => {
    expect(await curl(limited, ...args)).toBe(reason);
    expect(internet.received).toEqual([]);
  });

  test.for([
    ["HTTPS to an address, without a name", "https://93.184.216.34:7443/"],
    ["another protocol", "telnet://a.ported.example:7080"],
    ["a tunnel of CONNECT", "-x", "http://a.ported.example:7080", "https://a.ported.example:7443/"],
  ] as const)("ends %s", async ([, ...args], { limited, internet }) => {
    expect(await curl(limited, ...args)).toMatch(NO_CONNECTION);
    expect(internet.received).toEqual([]);
  });

  test("follows a change in a running container", async ({ openTenant, internet }) => {
    const tenant = await openIn("allowlist", openTenant, internet);
    const url = "https://later.example:10443/";
    expect(await curl(tenant, url)).toMatch(NO_CONNECTION);
    await replace(tenant, "allowlist", [{ host: "later.example", ports: [10_443] }]);
    await eventually(async () => (await curl(tenant, url)) === url);
    await replace(tenant, "allowlist", [{ host: "later.example" }]);
    await eventually(async () => (await curl(tenant, url)) === "port");
  });
});

describe.skipIf(probed.kind === "shared")("in the mode open", () => {
  test.for([
    ["a private address", "private-address", "http://10.0.0.1/"],
    ["metadata", "private-address", "http://169.254.169.254/latest/meta-data"],
    ["a private IPv6 address", "private-address", "http://[fd00:ec2::254]/"],
    ["a tenant's host", "control-host", "http://hooli.agents.example.com/"],
    ["a tenant's host by HTTPS", "control-host", "https://hooli.agents.example.com/"],
    ["the API of the account", "control-host", "https://api.cloudflare.com/client/v4"],
    [
      "a tenant's host at a public address",
      "control-host",
      ...host("hooli.agents.example.com"),
      "http://93.184.216.34/",
    ],
    ["a name in SNI", "control-host", "--connect-to", "::93.184.216.34:", "https://HOOLI.agents.example.com/"],
  ] as const)("refuses %s: %s", async ([, reason, ...args], { free, internet }) => {
    expect(await curl(free, ...args)).toBe(reason);
    expect(internet.received).toEqual([]);
  });

  test("reaches a name that resolves to a private address only by the Worker, which resolves it itself", async ({
    free,
    internet,
  }) => {
    const resolved = (port: number) => ["--resolve", `rebound.example:${port}:10.0.0.1`];
    expect(await curl(free, ...resolved(80), "http://rebound.example/")).toBe("http://rebound.example/");
    expect(internet.received.map(({ url }) => url)).toEqual(["http://rebound.example/"]);
    for (const url of ["http://rebound.example:8080/", "telnet://rebound.example:22"])
      expect(await curl(free, ...resolved(8080), ...resolved(22), url)).toMatch(NO_CONNECTION);
  });

  test("does not decrypt HTTPS of other hosts, as it does in the mode audit", async ({ openTenant, internet }) => {
    const name = "secure.example";
    const { privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const terms = { name, from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) };
    const cert = issueCertificate(key, terms, { name: "Its own authority", key });
    const pem = key.export({ type: "pkcs8", format: "pem" });
    const server = createServer({ key: pem, cert }, (_, response) => response.end());
    try {
      const standIns = { [name]: `127.0.0.1:${await listen(server, { port: 0 })}` };
      const tenant = await openIn("open", openTenant, internet, standIns);
      const issuer = `curl -kvsm 5 https://${name}/ 2>&1 | sed -n 's/.*issuer: *//p'`;
      expect(await run(tenant, issuer)).toBe("CN=Its own authority");
      await replace(tenant, "audit", []);
      await eventually(async () => (await run(tenant, issuer)).includes("Container egress authority"));
    } finally {
      await closeAndCut(server);
    }
  });
});
