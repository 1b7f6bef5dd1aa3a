import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "@tenantry/std/free-port";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startContainerEngine } from "../containers/engine.ts";
import { testImage } from "../containers/testing/test-image.ts";
import { dispatchScript, putRoute, putScript } from "./testing/scripts.ts";
import { startTestEdge, until } from "./testing/test-edge.ts";

const PROGRAM = join(import.meta.dirname, "testing", "runtime-process.ts");

describe("the processes of a runtime", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "edge-test-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  async function start() {
    // Its own temporary directory, which the test removes with files of a killed process.
    const child = spawn(process.execPath, [PROGRAM, directory, String(await freePort())], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: directory },
    });
    const lines = createInterface(child.stdout);
    const [line] = await once(lines, "line");
    expect(line).toBe("ready");
    const children = await childrenOf(child.pid ?? 0);
    // Storage, the account's scripts and one cell.
    expect(children).toHaveLength(3);
    return { child, children };
  }

  test("end when the runtime is killed", async () => {
    const { child, children } = await start();
    child.kill("SIGKILL");
    await once(child, "exit");
    await until(async () => (await Promise.all(children.map(isAlive))).every((alive) => !alive));
  });

  test("do not receive its Ctrl-C and end when it stops", async () => {
    const { child, children } = await start();
    const sessions = await Promise.all(children.map(sessionOf));
    expect(sessions).toEqual(children);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    expect(await Promise.all(children.map(isAlive))).toEqual([false, false, false]);
    expect((await readdir(directory)).filter((name) => name.startsWith("edge-"))).toEqual([]);
  });
});

describe("a script with containers", () => {
  test("runs them with the image of its application, and removes them when it is deleted", async () => {
    const directory = await mkdtemp(join(tmpdir(), "edge-test-"));
    const containers = await startContainerEngine({
      directory,
      image: testImage(),
      log: () => {},
    });
    const edge = await startTestEdge({ runtime: { containers } });
    const ask = async () => (await edge.ask("acme.tenantry.test/")).body;
    // A directory may be removed while it is read.
    const findRecords = async () =>
      (await readdir(directory, { recursive: true }).catch(() => ["removed.json"])).filter((path) =>
        path.endsWith(".json"),
      );
    try {
      putScript(edge.store, dispatchScript);
      putRoute(edge.store, "*.tenantry.test/*", "dispatch");
      const source = `
        import { DurableObject } from "cloudflare:workers";
        export class Sandbox extends DurableObject {
          async fetch() {
            const { container } = this.ctx;
            const monitored = container.running ? new Promise(() => {}) : (container.start(), container.monitor());
            const output = async () => {
              const process = await container.exec(["sh", "-c", "echo $TENANTRY_SANDBOX; pwd"]);
              return new Response((await process.output()).stdout);
            };
            return Promise.race([output(), monitored]).catch((error) => new Response(error.message));
          }
        }
        export default { fetch: (request, env) => env.SANDBOX.getByName("one").fetch(request) };`;
      const bindings = [{ type: "durable_object_namespace", name: "SANDBOX", class_name: "Sandbox" }];
      const named = { name: "acme", namespace: "tenants" };
      putScript(edge.store, { ...named, source, bindings, classes: ["Sandbox"], containers: ["Sandbox"] });
      expect(await ask()).toContain("There is no container application assigned to this Durable Object");

      const [object] = edge.store.get("script", "tenants/acme")?.durable_objects ?? [];
      edge.store.put("container_application", {
        id: "one",
        name: "acme",
        configuration: { image: "gateway:1" },
        durable_objects: { namespace_id: object?.namespace_id ?? "" },
        instances: 0,
        max_instances: 2,
        scheduling_policy: "default",
        created_at: "2026-11-01T00:00:00Z",
      });
      expect(await ask()).toMatch(new RegExp(`^${containers.marker}/workerd-acme-`));
      const [record = ""] = await findRecords();
      expect(JSON.parse(await readFile(join(directory, record), "utf8"))).toMatchObject({ image: "gateway:1" });
      edge.store.delete("script", "tenants/acme");
      await until(async () => (await findRecords()).length === 0);
    } finally {
      await edge.stop();
      await containers.stop();
      await rm(directory, { recursive: true, force: true });
    }
  });
});

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").map(Number);
}

async function isAlive(pid: number): Promise<boolean> {
  const fields = await statOf(pid);
  return fields !== undefined && fields[0] !== "Z";
}

async function sessionOf(pid: number): Promise<number> {
  return Number((await statOf(pid))?.[3]);
}

/** Fields of `/proc/PID/stat` from the state on. */
async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ");
}
