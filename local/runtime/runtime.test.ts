import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../free-port.ts";
import { dispatchScript, putRoute, putScript } from "./testing/scripts.ts";
import { noSandboxes, startTestEdge, until } from "./testing/test-edge.ts";

const PROGRAM = join(import.meta.dirname, "testing", "runtime-process.ts");

describe("the processes of a runtime", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "tenantry-test-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  async function start() {
    // Its own temporary directory, so that what a killed process leaves goes with the test's.
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

  it("end when it is killed", async () => {
    const { child, children } = await start();
    child.kill("SIGKILL");
    await once(child, "exit");
    await until(async () => (await Promise.all(children.map(isAlive))).every((alive) => !alive));
  });

  it("do not get a Ctrl-C meant for it, and are gone when it has stopped", async () => {
    const { child, children } = await start();
    const sessions = await Promise.all(children.map(sessionOf));
    expect(sessions).toEqual(children);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    expect(await Promise.all(children.map(isAlive))).toEqual([false, false, false]);
    expect((await readdir(directory)).filter((name) => name.startsWith("tenantry-"))).toEqual([]);
  });
});

describe("a script with containers", () => {
  it("reaches its sandbox through SANDBOX_HOST, which goes with the script", async () => {
    const directory = await mkdtemp(join(tmpdir(), "tenantry-test-"));
    const path = join(directory, "sandbox.sock");
    const server = createServer((request, response) => response.end(`sandbox ${request.method} ${request.url}`));
    server.listen(path);
    await once(server, "listening");
    const calls: unknown[] = [];
    const sandboxes = {
      ...noSandboxes,
      socket: async (script: { namespace: string; name: string; className: string }) => {
        calls.push(script);
        return path;
      },
      destroy: async (script: { namespace: string; name: string }) => {
        calls.push(script);
      },
    };
    const edge = await startTestEdge({ runtime: { sandboxes } });
    try {
      putScript(edge.store, dispatchScript);
      putRoute(edge.store, "*.tenantry.test/*", "dispatch");
      const source = `
        import { DurableObject } from "cloudflare:workers";
        export class Sandbox extends DurableObject {}
        export default { fetch: (request, env) => env.SANDBOX_HOST.fetch("http://sandbox/processes?a=1", { method: "POST" }) };`;
      const named = { name: "acme", namespace: "tenants" };
      putScript(edge.store, { ...named, source, classes: ["Sandbox"], containers: ["Sandbox"] });
      expect((await edge.ask("acme.tenantry.test/")).body).toBe("sandbox POST /processes?a=1");
      expect(calls).toEqual([{ namespace: "tenants", name: "acme", className: "Sandbox" }]);
      edge.store.delete("script", "tenants/acme");
      await until(() => calls.length === 2);
      expect(calls[1]).toEqual({ namespace: "tenants", name: "acme" });
    } finally {
      await edge.stop();
      server.closeAllConnections();
      server.close();
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
