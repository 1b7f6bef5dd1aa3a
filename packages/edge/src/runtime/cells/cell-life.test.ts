import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { putScript } from "../testing/scripts.ts";
import { putDispatch, putTenant } from "../testing/tenant-script.ts";
import { startTestEdge, type TestEdge, until } from "../testing/test-edge.ts";
import { exchange, openSocket } from "../testing/web-socket.ts";

describe("redeployment and limits of cells", () => {
  let edge: TestEdge;
  beforeEach(async () => {
    edge = await startTestEdge({ runtime: { maxCells: 2 } });
    putDispatch(edge);
  });
  afterEach(() => edge.stop());

  test("runs the new version at once, finishes requests in the old one and keeps the storage of objects", async () => {
    putTenant(edge, "acme", "1");
    expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("1");
    const slow = edge.ask("acme.tenantry.test/slow");
    const socket = await openSocket(edge.port, "acme.tenantry.test/ws");
    await exchange(socket, "hello");
    const closed = once(socket, "close");
    putTenant(edge, "acme", "2");
    expect((await edge.ask("acme.tenantry.test/version")).body).toBe("2");
    expect((await slow).body).toBe("slow 1");
    await closed;
    expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("2");
    await edge.restart();
    expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("3");
  });

  test("applies new limits and tags without a new process", async () => {
    putTenant(edge, "acme");
    await edge.ask("acme.tenantry.test/version");
    const script = edge.store.get("script", "tenants/acme");
    if (script === undefined) throw new Error("Script not found.");
    edge.store.put("script", { ...script, tags: ["plan:pro"], limits: { subrequests: 1 } });
    expect((await edge.ask("acme.tenantry.test/subrequests?n=2")).body).toBe("dispatch: Too many subrequests.");
    expect(edge.log.filter((line) => line.event === "cell-started")).toHaveLength(1);
  });

  test("removes the data of a deleted script", async () => {
    putTenant(edge, "acme");
    expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("1");
    edge.store.delete("script", "tenants/acme");
    expect((await edge.ask("acme.tenantry.test/memory")).status).toBe(404);
    await until(() => !existsSync(join(edge.directory, "runtime", "cells", "tenants", "acme")));
    putTenant(edge, "acme");
    expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("1");
  });

  test("ends the least recently used cell above the limit", async () => {
    for (const name of ["a", "b", "c"]) putTenant(edge, name);
    await edge.ask("a.tenantry.test/version");
    await edge.ask("b.tenantry.test/version");
    await edge.ask("a.tenantry.test/version");
    await edge.ask("c.tenantry.test/version");
    expect(edge.runtime.cells()).toEqual(["tenants/a", "tenants/c"]);
    expect((await edge.ask("b.tenantry.test/version")).body).toBe("1");
    expect(edge.runtime.cells()).toEqual(["tenants/c", "tenants/b"]);
  });

  test("ends a cell in an endless loop and delays no other", async () => {
    putTenant(edge, "acme");
    putTenant(edge, "calm");
    await edge.ask("acme.tenantry.test/version");
    await edge.ask("calm.tenantry.test/version");
    const spinning = edge.ask("acme.tenantry.test/spin", {
      headers: { "limit-cpu": "3000", accept: "application/json" },
    });
    let isCutOff = false;
    void spinning.then(() => {
      isCutOff = true;
    });
    expect((await edge.ask("calm.tenantry.test/version")).body).toBe("1");
    expect(isCutOff).toBe(false);
    const answer = await spinning;
    expect(answer).toMatchObject({ status: 500, body: "dispatch: Worker exceeded CPU time limit." });
    expect((await edge.ask("acme.tenantry.test/version")).body).toBe("1");
  });

  test("ends a cell in an endless loop of a WebSocket's message", async () => {
    putTenant(edge, "acme");
    const script = edge.store.get("script", "tenants/acme");
    if (script === undefined) throw new Error("Script not found.");
    edge.store.put("script", { ...script, limits: { cpu_ms: 300 } });
    const socket = await openSocket(edge.port, "acme.tenantry.test/ws");
    await exchange(socket, "hello");
    const closed = once(socket, "close");
    socket.send("spin");
    await closed;
    expect(edge.log.some((line) => line.event === "cpu-limit")).toBe(true);
  });
});

describe("a cell whose process dies", () => {
  test("is replaced at the next request, as are the other processes", async () => {
    const others = findWorkerds();
    const edge = await startTestEdge();
    try {
      putDispatch(edge);
      putTenant(edge, "acme");
      expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("1");
      for (const pid of findWorkerds().filter((pid) => !others.includes(pid))) process.kill(pid, "SIGKILL");
      await until(async () => (await edge.ask("acme.tenantry.test/memory")).status === 200);
      expect((await edge.ask("acme.tenantry.test/subrequests?n=4")).body).toBe("made 4");
      expect(Number((await edge.ask("acme.tenantry.test/memory")).body)).toBeGreaterThanOrEqual(3);
    } finally {
      await edge.stop();
    }
    expect(findWorkerds()).toEqual(others);
  });
});

describe("an idle cell", () => {
  test("starts for an alarm of its objects, also in the next runtime", async () => {
    const edge = await startTestEdge({ runtime: { cellIdleMs: 100 } });
    const source = `
      import { DurableObject } from "cloudflare:workers";
      export class Clock extends DurableObject {
        async set(key, wait) {
          await this.ctx.storage.put("key", key);
          await this.ctx.storage.setAlarm(Date.now() + wait);
        }
        async alarm() { await this.env.KV.put(await this.ctx.storage.get("key"), "rang"); }
      }
      export default { async fetch(request, env) {
        const { searchParams } = new URL(request.url);
        await env.CLOCK.getByName("c").set(searchParams.get("key"), Number(searchParams.get("wait")));
        return new Response("set");
      } };`;
    const rang = (key: string) => async () => (await edge.runtime.kv("n").get(key)) !== undefined;
    try {
      putDispatch(edge);
      const bindings = [
        { type: "durable_object_namespace", name: "CLOCK", class_name: "Clock" },
        { type: "kv_namespace", name: "KV", namespace_id: "n" },
      ];
      putScript(edge.store, { name: "acme", namespace: "tenants", source, classes: ["Clock"], bindings });
      expect((await edge.ask("acme.tenantry.test/?key=idle&wait=2500")).body).toBe("set");
      await until(() => edge.runtime.cells().length === 0);
      await until(rang("idle"));
      expect((await edge.ask("acme.tenantry.test/?key=restart&wait=2500")).body).toBe("set");
      await edge.restart();
      await until(rang("restart"));
    } finally {
      await edge.stop();
    }
  });

  test("ends and starts again at the next request", async () => {
    const edge = await startTestEdge({ runtime: { cellIdleMs: 200 } });
    try {
      putDispatch(edge);
      putTenant(edge, "acme");
      expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("1");
      await until(() => edge.runtime.cells().length === 0);
      expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("2");
    } finally {
      await edge.stop();
    }
  });
});

/** Returns the ids of the workerd processes of this one, including those of other test files. */
function findWorkerds(): number[] {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter((text) => text !== "")
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("workerd"));
}
