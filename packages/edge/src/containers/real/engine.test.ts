/** Tests the calls of a fake engine and their order. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PROCESSES, rememberEngine } from "../last-engine.ts";
import { containerKey, engineMark } from "../names.ts";
import { EGRESS_IMAGE, egressImageOf, removeContainers, startRealEngine } from "./engine.ts";

const acme = { namespace: "tenants", name: "tenant-acme" };
const hooli = { namespace: "tenants", name: "tenant-hooli" };
const ID = "0123456789abcdef".repeat(4);

let directory: string;
let mark: string;
/** States of the engine by name. */
let states: Map<string, string>;
/** Requested changes, in order. */
let asked: string[];
let podman: boolean;
/** Sends an event to all listeners. */
let tell: (action: string, name: string) => void;
let stop: () => void;
let socket: string;

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "real-engine-")));
  mark = engineMark(directory);
  states = new Map();
  asked = [];
  podman = false;
  socket = join(directory, "engine.sock");
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://engine");
    const [, name = "", action = ""] = /^\/containers\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    const answer = (status: number, body?: unknown) => response.writeHead(status).end(body && JSON.stringify(body));
    if (pathname === "/version")
      return answer(200, { Components: [{ Name: podman ? "Podman Engine" : "Engine", Version: "1" }] });
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
      asked.push(`create ${searchParams.get("name")}`);
      states.set(searchParams.get("name") ?? "", "created");
      return answer(201, {});
    }
    asked.push(`${request.method === "DELETE" ? "remove" : action} ${short}`);
    if (!states.has(name)) return answer(404, { message: "No such container" });
    if (request.method === "DELETE") states.delete(name);
    else states.set(name, action === "start" ? "running" : "exited");
    answer(204);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  stop = () => {
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
  expect(asked).toEqual(["start acme-proxy", "start acme"]);
  await engine.ready(acme);
  expect(asked).toHaveLength(2);
});

test("restarts a container with its stopped sidecar, and removes it when the sidecar does not exist", async () => {
  rememberEngine(directory, `unix:${socket}`);
  put(acme, "running", "exited");
  put(hooli, "exited", undefined);
  const engine = await start();
  await engine.ready(acme);
  expect(asked.splice(0)).toEqual(["stop acme", "start acme-proxy", "start acme"]);
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

test("uses Miniflare's image of the sidecar, or that of the variable", () => {
  const miniflare = readFileSync(createRequire(import.meta.url).resolve("miniflare"), "utf8");
  expect(miniflare).toContain(`DEFAULT_CONTAINER_EGRESS_INTERCEPTOR_IMAGE = "${EGRESS_IMAGE}"`);
  expect(egressImageOf({})).toBe(EGRESS_IMAGE);
  expect(egressImageOf({ MINIFLARE_CONTAINER_EGRESS_IMAGE: "sidecar:2" })).toBe("sidecar:2");
});
