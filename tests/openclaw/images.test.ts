/**
 * The built image of a tenant on the machine's container engine, with the vendor's sidecar: `npm run try:openclaw -- tests/openclaw/images.test.ts`.
 *
 * Environment: TENANTRY_IMAGE, the image's name, such as `localhost/tenantry/tenant`; DOCKER_HOST; MINIFLARE_CONTAINER_EGRESS_IMAGE, if the
 * sidecar has another name.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import {
  findEngineSocket,
  type PreparedEngine,
  prepareEngine,
  RealEngineClient,
  removeContainers,
} from "@tenantry/edge/containers";
import { EngineClient } from "@tenantry/edge/testing/runtime";
import { closeAndCut, listen } from "@tenantry/std/listening";
import Cloudflare from "cloudflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { ACCOUNT_ID } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { addDemoUsers } from "#local/start/demo.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { openEdge, platformSettings, stackOf } from "../testing/platform.ts";
import { ACME, ADA } from "./testing/live-tenant.ts";

const IMAGE = process.env.TENANTRY_IMAGE;
const SCRIPT = { namespace: "tenants", name: "tenant-acme" };
const ALLOWED = "allowed.vendor.test";
const AUTHORITY = "/etc/cloudflare/certs/cloudflare-containers-ca.crt";
const PATIENCE_MS = 180_000;

const inspected = z.looseObject({
  Size: z.number(),
  RootFS: z.looseObject({ Layers: z.array(z.string()) }),
});
/** What a program in a container got from a URL. */
const got = z.union([z.object({ status: z.number(), body: z.string() }), z.object({ failed: z.string() })]);

async function findContainers(): Promise<PreparedEngine | string> {
  if (IMAGE === undefined) return "set TENANTRY_IMAGE to an image that `npm run images` built";
  try {
    return await prepareEngine(IMAGE, undefined, { name: "", directory: "" });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const containers = await findContainers();
if (typeof containers === "string") console.warn(`SKIPPED: OpenClaw in its built image; ${containers}`);

describe.skipIf(typeof containers === "string")("OpenClaw in its built image", () => {
  let edge: Edge;
  let close: () => Promise<void>;
  let startMs = 0;
  const standIn = createServer((request, response) => response.end(`${request.headers.host}${request.url}`));

  const inside = async (...command: string[]) => {
    const [instance] = edge.containers.instances(SCRIPT, "Sandbox");
    if (instance === undefined) throw new Error("no container runs");
    return new EngineClient(edge.containers.address).exec(instance.name, command);
  };
  const output = async (command: string) => (await inside("sh", "-c", command)).stdout.trim();
  /** Requests a URL as a program of the agent does, which trusts the sidecar's authority. */
  const get = async (url: string) => {
    const source = `fetch(process.argv[1], { signal: AbortSignal.timeout(20000) })
      .then(async (response) => ({ status: response.status, body: await response.text() }))
      .catch((error) => ({ failed: String(error.cause?.code ?? error) }))
      .then((result) => console.log(JSON.stringify(result)))`;
    const { stdout } = await inside("env", `NODE_EXTRA_CA_CERTS=${AUTHORITY}`, "node", "-e", source, url);
    return got.parse(JSON.parse(stdout));
  };

  beforeAll(async () => {
    if (typeof containers === "string") return;
    const server = `127.0.0.1:${await listen(standIn, { port: 0 })}`;
    const internet = { [ALLOWED]: server, "refused.vendor.test": server };
    ({ edge, close } = await openEdge({ containers, internet }));
    const settings = platformSettings([{ slug: "acme" }]);
    const platform = {
      ...settings["tenantry:platform"],
      containerImage: edge.containers.image,
      egress: { mode: "allowlist", entries: [{ host: ALLOWED }] },
    };
    await (await stackOf(edge, { ...settings, "tenantry:platform": platform })).up();
    await addDemoUsers(edge);
    const begun = performance.now();
    await callUntil(
      () => call(edge, ACME, "/api/health"),
      ({ status, body }) => status === 200 && JSON.parse(body).startup.ok === true,
    );
    startMs = performance.now() - begun;
  }, 2 * PATIENCE_MS);
  afterAll(async () => {
    standIn.close();
    // A stop keeps their disks.
    if (edge !== undefined) await removeContainers(join(edge.directory, "containers"));
    await close?.();
  });

  test(
    "starts with a read-only root, and answers a chat through the tenant's AI gateway",
    async ({ task }) => {
      const headers = { ...(await loggedIn(edge, ADA, ACME)), "content-type": "application/json" };
      const body = JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: "Say hello." }] });
      const answer = await call(edge, ACME, "/v1/chat/completions", { method: "POST", headers, body });
      expect([answer.status, answer.body]).toEqual([200, expect.stringContaining("This is a mock of openai")]);
      const api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
      const [latest] = (await api.aiGateway.logs.list("pool-a", { account_id: ACCOUNT_ID })).result;
      expect(latest).toMatchObject({ provider: "openai", success: true });
      expect(await output("grep ' / ' /proc/mounts")).toMatch(/^\S+ \/ \S+ ro,/);

      const client = new RealEngineClient(await findEngineSocket());
      const { text } = await client.expect([200], "GET", `/images/${IMAGE}/json`);
      const { Size, RootFS } = inspected.parse(JSON.parse(text));
      const seconds = (startMs / 1000).toFixed(1);
      task.meta.figures = [
        `image ${(Size / 1e9).toFixed(2)} GB, ${RootFS.Layers.length} layers; from the first request until OpenClaw has started: ${seconds} s`,
      ];
    },
    PATIENCE_MS,
  );

  test("runs without rights and with the limits of its plan", async () => {
    for (const pid of ["self", "1"])
      expect(await output(`grep -E '^(Cap...|NoNewPrivs|Seccomp):' /proc/${pid}/status | tr -d '\\t\\n'`)).toBe(
        `${["Inh", "Prm", "Eff", "Bnd", "Amb"].map((set) => `Cap${set}:${"0".repeat(16)}`).join("")}NoNewPrivs:1Seccomp:2`,
      );
    for (const attack of [
      "touch /x || touch /usr/local/bin/x || touch /home/node/x",
      "echo x >> /opt/tenantry/start-gateway.mjs || echo x >> /etc/passwd",
      "mount -t tmpfs none /mnt || mount -o remount,rw /",
      "unshare --user true || unshare --mount true",
      "setpriv --reuid 0 true || su root -c true",
      "echo 999999999 > /sys/fs/cgroup/pids/pids.max || echo 999999999 > /sys/fs/cgroup/pids.max",
      "iptables -F || ip route add 192.0.2.0/24 dev eth0",
    ])
      expect([attack, (await inside("sh", "-c", `(${attack}) 2>/dev/null`)).code === 0]).toEqual([attack, false]);
    expect(await output("cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null")).toBe("2048");
    expect(
      await output("cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null"),
    ).toMatch(/^\d{8,11}$/);
    expect(await output("find / -xdev -perm /6000 -type f 2>/dev/null")).toBe("");
  });

  test("has programs that only root may change, also on a platform without a read-only root", async () => {
    const engine = new EngineClient(await findEngineSocket());
    const name = `tenantry-plain-${process.pid}`;
    try {
      await engine.call("POST", `/containers/create?name=${name}`, { Image: IMAGE });
      await engine.call("POST", `/containers/${name}/start`);
      const found = await engine.sh(
        name,
        "find / -xdev -type d -writable 2>/dev/null; find /opt /usr -type f -writable",
      );
      const places = found.stdout.trim().split("\n");
      const others = places.filter((path) => !/^\/(workspace|tmp|var\/tmp|run\/lock|dev)(\/|$)/.test(path));
      expect([places.includes("/workspace"), others]).toEqual([true, []]);
    } finally {
      await engine.call("DELETE", `/containers/${name}?force=true&v=true`);
    }
  });

  test("reaches an allowed host by HTTPS and HTTP, whose interception the gateway trusts", async () => {
    expect(await get(`https://${ALLOWED}/path`)).toEqual({ status: 200, body: `${ALLOWED}/path` });
    expect(await get(`http://${ALLOWED}/path`)).toEqual({ status: 200, body: `${ALLOWED}/path` });
    const trusted = "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -E '^NODE_EXTRA_CA_CERTS=' | sort -u";
    expect(await output(trusted)).toBe(`NODE_EXTRA_CA_CERTS=${AUTHORITY}`);
  });

  test.each([
    ["https://refused.vendor.test/", "refused.vendor.test"],
    ["http://refused.vendor.test/", "refused.vendor.test"],
    ["http://169.254.169.254/latest/meta-data/", "169.254.169.254"],
    ["http://192.168.1.1/", "192.168.1.1"],
    ["http://10.0.0.1/", "10.0.0.1"],
  ])("is refused %s, with the reason", async (url, host) => {
    const refused = await get(url);
    expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('"code":"egress_refused"') });
    expect(refused).toMatchObject({ body: expect.stringContaining(host) });
  });

  test("reaches neither ports of the machine nor other protocols", async () => {
    const machine = /^(\S+)\s+host\.docker\.internal/m.exec(await output("cat /etc/hosts"))?.[1];
    const other = createServer((_, response) => response.end("the machine"));
    const port = await listen(other, { port: 0, host: "0.0.0.0" });
    try {
      expect(await (await fetch(`http://${machine}:${port}`)).text()).toBe("the machine");
      expect(await get(`http://${machine}:${port}`)).toEqual({ failed: "ECONNREFUSED" });
    } finally {
      await closeAndCut(other);
    }
    const send = `const socket = require("dgram").createSocket("udp4");
      socket.send("x", 123, "192.0.2.1", (error) => { console.log(error?.code ?? "sent"); socket.close(); })`;
    expect((await inside("node", "-e", send)).stdout.trim()).toMatch(/^(EPERM|ECONNREFUSED)$/);
    const resolve = `require("dns").lookup("unknown.vendor.invalid", (error, address) => console.log(error?.code ?? address))`;
    expect((await inside("node", "-e", resolve)).stdout.trim()).toMatch(/^(ENOTFOUND|11\.0\.0\.1)$/);
  });
});
