/** Tests the calls of a fake engine and their order. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { request as call, createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { listen } from "@tenantry/std/listening";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { PROCESSES, rememberEngine } from "../last-engine.ts";
import { containerKey, engineMark } from "../names.ts";
import { EGRESS_IMAGE, egressImageOf, removeContainers, startRealEngine } from "./engine.ts";

const acme = { namespace: "tenants", name: "tenant-acme" };
const hooli = { namespace: "tenants", name: "tenant-hooli" };
const SecurityOptions = ["name=seccomp,profile=builtin"];
const ID = "0123456789abcdef".repeat(4);

let directory: string;
let mark: string;
/** States of the engine by name. */
let states: Map<string, string>;
/** Requested changes, in order. */
let asked: string[];
let podman: boolean;
/** What the engine reports about itself. */
let info: object;
/** Body of the last container that was created. */
let created: Promise<unknown>;
/** Sends an event to all listeners. */
let tell: (action: string, name: string) => void;
let stop: () => void;
/** Of all sidecars. */
let ingress: Server;
let socket: string;

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "real-engine-")));
  mark = engineMark(directory);
  states = new Map();
  asked = [];
  podman = false;
  info = { MemoryLimit: true, SwapLimit: true, CpuCfsQuota: true, CPUShares: true, PidsLimit: true };
  socket = join(directory, "engine.sock");
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://engine");
    const [, name = "", action = ""] = /^\/containers\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    const answer = (status: number, body?: unknown) => response.writeHead(status).end(body && JSON.stringify(body));
    if (pathname === "/version")
      return answer(200, { Components: [{ Name: podman ? "Podman Engine" : "Engine", Version: "1" }] });
    if (request.method === "GET" && action === "json" && states.get(name) === "running") {
      const { port } = ingress.address() as AddressInfo;
      return answer(200, { NetworkSettings: { Ports: { "39001/tcp": [{ HostIp: "", HostPort: String(port) }] } } });
    }
    // Without root it mounts no images, see `disks.test.ts`.
    const options = podman ? [...SecurityOptions, "name=rootless"] : SecurityOptions;
    if (pathname === "/info") return answer(200, { SecurityOptions: options, ...info });
    if (pathname === "/v4.0.0/libpod/info")
      return answer(200, {
        host: { security: { seccompEnabled: true, seccompProfilePath: join(directory, "profile") } },
      });
    if (pathname.startsWith("/volumes/")) return answer(404);
    if (pathname === "/images/sidecar:1/json") return answer(200, { Config: { Entrypoint: ["/sidecar"] } });
    if (pathname === "/networks/bridge") return answer(200, { IPAM: { Config: [{ Gateway: "10.88.0.1" }] } });
    if (pathname === "/events") {
      tell = (Action, one) => response.write(`${JSON.stringify({ Action, Actor: { Attributes: { name: one } } })}\n`);
      return response.writeHead(200).flushHeaders();
    }
    if (pathname === "/containers/json")
      return answer(
        200,
        [...states].map(([one, State]) => ({ Names: [`/${one}`], State })),
      );
    const short = name.replace(/^workerd-tenant-(\w+)-.*?(-proxy)?$/, "$1$2");
    if (pathname === "/containers/create") {
      created = json(request);
      asked.push(`create ${searchParams.get("name")}`);
      states.set(searchParams.get("name") ?? "", "created");
      return answer(201, {});
    }
    asked.push(`${request.method === "DELETE" ? "remove" : action} ${short}`);
    if (request.method === "DELETE") expect(searchParams.get("v")).toBe("true");
    if (!states.has(name)) return answer(404, { message: "No such container" });
    if (request.method === "DELETE") states.delete(name);
    else states.set(name, action === "start" ? "running" : "exited");
    answer(204);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  ingress = createServer((_, response) => {
    asked.push("ingress");
    response.end();
  });
  await listen(ingress, { port: 0 });
  stop = () => {
    ingress.close();
    ingress.closeAllConnections();
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => {
  stop();
  rmSync(directory, { recursive: true });
});

const nameOf = (script: typeof acme, of = mark) => `workerd-${containerKey(of, script, "Sandbox")}-${ID}`;
function put(script: typeof acme, container: string | undefined, sidecar: string | undefined, of = mark): void {
  if (container !== undefined) states.set(nameOf(script, of), container);
  if (sidecar !== undefined) states.set(`${nameOf(script, of)}-proxy`, sidecar);
}
const start = () => startRealEngine({ directory, socket, image: "gateway:1", egressImage: "sidecar:1", log: () => {} });

test("resumes the containers of a script, sidecars first, before the script starts", async () => {
  rememberEngine(directory, `unix:${socket}`);
  put(acme, "exited", "exited");
  put(hooli, "exited", "exited");
  const engine = await start();
  expect(asked).toEqual([]);
  await engine.ready(acme);
  expect(asked).toEqual(["start acme-proxy", "ingress", "start acme"]);
  await engine.ready(acme);
  expect(asked).toHaveLength(3);
});

test("waits for a slow sidecar, before workerd finds that it does not respond and removes its container", async () => {
  rememberEngine(directory, `unix:${socket}`);
  put(acme, "exited", "exited");
  let tries = 0;
  ingress.on("connection", (connection) => {
    tries += 1;
    if (tries < 4) connection.destroy();
  });
  const engine = await start();
  await engine.ready(acme);
  expect(asked).toEqual(["start acme-proxy", "ingress", "start acme"]);
  expect(tries).toBe(4);
});

test("restarts a container with its stopped sidecar, and removes it when the sidecar does not exist", async () => {
  rememberEngine(directory, `unix:${socket}`);
  put(acme, "running", "exited");
  put(hooli, "exited", undefined);
  const engine = await start();
  await engine.ready(acme);
  expect(asked.splice(0)).toEqual(["stop acme", "start acme-proxy", "ingress", "start acme"]);
  await engine.ready(hooli);
  expect(asked).toEqual(["remove hooli"]);
});

test("stops running containers at the end, and removes those of a deleted script", async () => {
  rememberEngine(directory, `unix:${socket}`);
  put(acme, "running", "running");
  put(hooli, "exited", "exited");
  const engine = await start();
  await engine.end(hooli);
  expect(asked.splice(0)).toEqual(["remove hooli", "remove hooli-proxy"]);
  await engine.stop();
  await engine.stop();
  expect(asked).toEqual(["stop acme", "stop acme-proxy"]);
});

test("removes its own containers, and no others, when the engine has changed", async () => {
  const other = engineMark("/another/directory");
  put(acme, "exited", "exited");
  put(hooli, "running", "running", other);
  await start();
  expect([...states.keys()]).toEqual([nameOf(hooli, other), `${nameOf(hooli, other)}-proxy`]);
  put(acme, "running", "running");
  await start();
  expect(states.size).toBe(4);
  rememberEngine(directory, PROCESSES);
  await removeContainers(directory);
  expect(states.size).toBe(4);
  await start();
  expect(states.size).toBe(2);
  put(acme, "running", "running");
  await removeContainers(directory);
  expect(states.size).toBe(2);
});

test("tracks running containers from the start and by events of the engine", async () => {
  rememberEngine(directory, `unix:${socket}`);
  put(acme, "running", "running");
  const engine = await start();
  expect([engine.isAwake(acme), engine.isAwake(hooli)]).toEqual([true, false]);
  tell("start", `${nameOf(hooli)}-proxy`);
  tell("died", nameOf(acme));
  await expect.poll(() => engine.isAwake(acme)).toBe(false);
  expect(engine.isAwake(hooli)).toBe(false);
  tell("start", nameOf(hooli));
  await expect.poll(() => engine.isAwake(hooli)).toBe(true);
  await engine.stop();
});

test("keeps Podman's bridge by a container while the edge runs", async () => {
  podman = true;
  rememberEngine(directory, `unix:${socket}`);
  const engine = await start();
  expect(asked.splice(0)).toEqual([
    `remove tenantry-${mark}-bridge`,
    `create tenantry-${mark}-bridge`,
    `start tenantry-${mark}-bridge`,
  ]);
  await engine.stop();
  expect(asked).toEqual([`remove tenantry-${mark}-bridge`]);
});

/** Creates a container as workerd does. @returns the body that the engine gets */
async function createBy(address: string, name: string, body: object): Promise<Record<string, unknown>> {
  const status = await new Promise((resolve, reject) => {
    const socketPath = address.replace("unix:", "");
    const sent = call({ socketPath, method: "POST", path: `/containers/create?name=${name}` }, (answered) => {
      answered.resume();
      resolve(answered.statusCode);
    });
    sent.once("error", reject).end(JSON.stringify(body));
  });
  expect(status).toBe(201);
  return (await created) as Record<string, unknown>;
}

test("creates containers without rights, with a read-only root and the limits of their instance type", async () => {
  const engine = await start();
  engine.deploy(acme, "Sandbox", { image: "box", version: 1, size: { memoryMiB: 1_024, vcpu: 0.25 } });
  const given = {
    Image: "gateway:1",
    Env: ["A=1"],
    HostConfig: { Privileged: true, CapAdd: ["NET_ADMIN"], Memory: 0 },
  };
  expect(await createBy(engine.address, nameOf(acme), given)).toEqual({
    Image: "gateway:1",
    Env: ["A=1"],
    Volumes: { "/workspace": {}, "/tmp": {}, "/etc/cloudflare": {} },
    HostConfig: {
      Privileged: false,
      CapAdd: [],
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      ReadonlyRootfs: true,
      PidsLimit: 2_048,
      Memory: 1_073_741_824,
      MemorySwap: 1_073_741_824,
      CpuShares: 256,
      CpuPeriod: 100_000,
      CpuQuota: 100_000,
    },
  });
  expect(await createBy(engine.address, nameOf(hooli), given)).not.toHaveProperty("HostConfig.CpuQuota");
  await engine.stop();
});

test("separates the network of a sidecar from others before it runs", async () => {
  podman = true;
  const engine = await start();
  const HostConfig = { CapAdd: ["NET_ADMIN"], ExtraHosts: ["host.docker.internal:host-gateway"] };
  const body = await createBy(engine.address, `${nameOf(acme)}-proxy`, {
    Image: "sidecar:1",
    Cmd: ["--flag"],
    HostConfig,
  });
  expect(body).toMatchObject({
    User: "0:39001",
    Cmd: ["--flag"],
    HostConfig: { CapDrop: ["ALL"], Privileged: false, ExtraHosts: ["host.docker.internal:10.88.0.1"] },
  });
  expect(body.Entrypoint).toEqual([
    "sh",
    "-c",
    expect.stringMatching(/^rules\(\) \{[\s\S]+exec "\$@"$/),
    "sh",
    "/sidecar",
  ]);
  await engine.stop();
});

test("refuses calls for namespaces, which Podman's filter allows", async () => {
  podman = true;
  const allowed = { names: ["clone", "clone3", "read", "unshare"], action: "SCMP_ACT_ALLOW" };
  const refused = { names: ["bpf"], action: "SCMP_ACT_ERRNO", errnoRet: 1 };
  const chroot = { names: ["chroot"], action: "SCMP_ACT_ALLOW", includes: { caps: ["CAP_SYS_CHROOT"] } };
  const profile = { defaultAction: "SCMP_ACT_ERRNO", syscalls: [allowed, refused, chroot] };
  writeFileSync(join(directory, "profile"), JSON.stringify(profile));
  const engine = await start();
  const body = await createBy(engine.address, nameOf(acme), { Image: "gateway:1" });
  const [, option = ""] = z.object({ HostConfig: z.object({ SecurityOpt: z.array(z.string()) }) }).parse(body)
    .HostConfig.SecurityOpt;
  const args = [{ index: 0, value: 2_114_060_288, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }];
  expect(JSON.parse(readFileSync(option.replace("seccomp=", ""), "utf8"))).toEqual({
    defaultAction: "SCMP_ACT_ERRNO",
    syscalls: [{ ...allowed, names: ["read"] }, refused, { names: ["clone"], action: "SCMP_ACT_ALLOW", args }],
  });
  await engine.stop();
});

test("states what the engine does not isolate, and sets no limit that it lacks", async () => {
  const limiting = await start();
  expect(limiting.description).toBe(
    "Each container runs in Engine 1. Not isolated: disk space is not limited (only Podman mounts images); they have no user namespace.",
  );
  await limiting.stop();
  info = { MemoryLimit: false, PidsLimit: false, SecurityOptions: ["name=rootless"] };
  const engine = await start();
  expect(engine.description).toBe(
    "Each container runs in Engine 1. Not isolated: memory, number of processes, and CPU are not limited; disk space is not limited (only Podman mounts images); system calls are not filtered.",
  );
  engine.deploy(acme, "Sandbox", { image: "box", version: 1, size: { memoryMiB: 1_024, vcpu: 0.25 } });
  const { HostConfig } = await createBy(engine.address, nameOf(acme), { Image: "gateway:1" });
  expect(Object.keys(HostConfig as object).filter((key) => /Memory|Cpu|Pids/.test(key))).toEqual([]);
  await engine.stop();
});

test("uses Miniflare's image of the sidecar, or that of the variable", () => {
  const miniflare = readFileSync(createRequire(import.meta.url).resolve("miniflare"), "utf8");
  expect(miniflare).toContain(`DEFAULT_CONTAINER_EGRESS_INTERCEPTOR_IMAGE = "${EGRESS_IMAGE}"`);
  expect(egressImageOf({})).toBe(EGRESS_IMAGE);
  expect(egressImageOf({ MINIFLARE_CONTAINER_EGRESS_IMAGE: "sidecar:2" })).toBe("sidecar:2");
});
