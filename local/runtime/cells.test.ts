import { once } from "node:events";
import { existsSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dispatchScript, putRoute, putScript } from "./testing/scripts.ts";
import { startTestEdge, type TestEdge, until } from "./testing/test-edge.ts";
import { exchange, openSocket } from "./testing/web-socket.ts";

const TENANT = `
  import { DurableObject } from "cloudflare:workers";
  export class Memory extends DurableObject {
    async add() {
      const n = ((await this.ctx.storage.get("n")) ?? 0) + 1;
      await this.ctx.storage.put("n", n);
      return n;
    }
  }
  let open = 0;
  const actions = {
    version: (request, env) => new Response(env.VERSION),
    seen: (request) => Response.json({ url: request.url, cf: request.cf, headers: Object.fromEntries(request.headers) }),
    memory: async (request, env) => new Response(String(await env.MEMORY.getByName("m").add())),
    echo: (request) => new Response(request.body, { headers: { "content-type": "text/x" } }),
    throw() { throw new Error("from the tenant"); },
    open: () => new Response(String(open)),
    stream(request) {
      open += 1;
      request.signal.addEventListener("abort", () => { open -= 1; });
      const body = new ReadableStream({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          controller.enqueue(new TextEncoder().encode("tick\\n"));
        },
      });
      return new Response(body);
    },
    async slow(request, env) {
      await new Promise((r) => setTimeout(r, 1500));
      return new Response("slow " + env.VERSION);
    },
    spin() { for (;;) {} },
    async subrequests(request, env) {
      const n = Number(new URL(request.url).searchParams.get("n"));
      const parts = [];
      for (let i = 0; i < n; i++) parts.push(i % 2 === 0 ? fetch("http://main.tenantry.test/") : env.KV.get("k"));
      await Promise.all(parts);
      return new Response("made " + n);
    },
    ws() {
      const [client, server] = Object.values(new WebSocketPair());
      server.accept();
      server.addEventListener("message", (event) => {
        if (event.data === "spin") for (;;) {}
        server.send("echo " + event.data);
      });
      return new Response(null, { status: 101, webSocket: client });
    },
  };
  export default { fetch: (request, env, ctx) => actions[new URL(request.url).pathname.slice(1)](request, env, ctx) };
`;

function putTenant(edge: TestEdge, name: string, version = "1", source = TENANT): void {
  putScript(edge.store, {
    name,
    namespace: "tenants",
    source,
    classes: ["Memory"],
    flags: ["enable_request_signal"],
    bindings: [
      { type: "plain_text", name: "VERSION", text: version },
      { type: "durable_object_namespace", name: "MEMORY", class_name: "Memory" },
      { type: "kv_namespace", name: "KV", namespace_id: "n" },
    ],
  });
}

function putDispatch(edge: TestEdge): void {
  putScript(edge.store, dispatchScript);
  putRoute(edge.store, "*.tenantry.test/*", "dispatch");
}

describe("a dispatched script", () => {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await startTestEdge();
    putDispatch(edge);
    putTenant(edge, "acme");
  });
  afterAll(() => edge.stop());

  it("sees the address, cf and headers the client's request had", async () => {
    const seen = JSON.parse((await edge.ask("acme.tenantry.test/seen?a=b%20c", { headers: { "x-own": "1" } })).body);
    expect(seen.url).toBe(`http://acme.tenantry.test:${edge.port}/seen?a=b%20c`);
    expect(seen.cf.colo).toBe("LOCAL");
    expect(seen.headers).toMatchObject({ host: `acme.tenantry.test:${edge.port}`, "x-own": "1" });
    expect(Object.keys(seen.headers).filter((name) => /^(x-tenantry|mf)-/.test(name))).toEqual([]);
  });

  it("gets and gives a body of 1 MB", async () => {
    const body = "0123456789abcdef".repeat(65_536);
    const answer = await edge.ask("acme.tenantry.test/echo", { method: "POST", body });
    expect(answer.headers["content-type"]).toBe("text/x");
    expect(answer.body === body).toBe(true);
  });

  it("streams, and learns that the client has left", async () => {
    const sent = httpRequest({
      host: "127.0.0.1",
      port: edge.port,
      path: "/stream",
      headers: { host: "acme.tenantry.test" },
      agent: false,
    });
    sent.end();
    const [answer] = await once(sent, "response");
    const [chunk] = await once(answer, "data");
    expect(String(chunk)).toContain("tick");
    expect((await edge.ask("acme.tenantry.test/open")).body).toBe("1");
    answer.on("error", () => {});
    sent.destroy();
    await until(async () => (await edge.ask("acme.tenantry.test/open")).body === "0");
  });

  it("speaks over a WebSocket", async () => {
    const socket = await openSocket(edge.port, "acme.tenantry.test/ws");
    expect(await exchange(socket, "one")).toBe("echo one");
    expect(await exchange(socket, "x".repeat(100_000))).toBe(`echo ${"x".repeat(100_000)}`);
    socket.close();
    await once(socket, "close");
  });

  it("throws in the dispatching Worker what it throws itself", async () => {
    expect((await edge.ask("acme.tenantry.test/throw")).body).toBe("dispatch: from the tenant");
  });

  it("is not found under another name, in the vendor's words", async () => {
    expect(await edge.ask("nobody.tenantry.test/")).toMatchObject({ status: 404, body: "dispatch: Worker not found." });
  });

  it("may make as many subrequests as the dispatch allows, and no more", async () => {
    const limit = { "limit-subrequests": "6" };
    const within = edge.ask("acme.tenantry.test/subrequests?n=6", { headers: limit });
    expect((await within).body).toBe("made 6");
    const over = await edge.ask("acme.tenantry.test/subrequests?n=7", { headers: limit });
    expect(over.body).toBe("dispatch: Too many subrequests.");
    expect((await edge.ask("acme.tenantry.test/subrequests?n=6", { headers: limit })).body).toBe("made 6");
  });

  it("cannot start with a fault in its source, and says which", async () => {
    putTenant(edge, "broken", "1", "this is no script");
    const answer = await edge.ask("broken.tenantry.test/");
    expect(answer.status).toBe(500);
    expect(answer.body).toMatch(/^dispatch: tenants\/broken did not start: .*SyntaxError/s);
    putTenant(edge, "broken", "mended");
    expect((await edge.ask("broken.tenantry.test/version")).body).toBe("mended");
  });

  it("has no way to another host, another port or another cell", async () => {
    const source = `
      import { connect } from "cloudflare:sockets";
      const tell = async (work) => { try { return await work(); } catch (error) { return "failed"; } };
      export default {
        async fetch(request) {
          const ports = new URL(request.url).searchParams.get("ports").split(",");
          const raw = (port) => tell(async () => {
            const socket = connect("127.0.0.1:" + port);
            const writer = socket.writable.getWriter();
            await writer.write(new TextEncoder().encode("GET http://acme.tenantry.test/version HTTP/1.1\\r\\nHost: acme.tenantry.test\\r\\n\\r\\n"));
            const { value } = await socket.readable.getReader().read();
            return value === undefined ? "failed" : new TextDecoder().decode(value);
          });
          const get = (url) => tell(async () => { const answer = await fetch(url); return [answer.status, await answer.text()]; });
          return Response.json({
            raw: await Promise.all(ports.map(raw)),
            ported: await Promise.all(ports.slice(1).map((port) => get("http://127.0.0.1:" + port + "/version"))),
            elsewhere: await get("https://api.example.com/v1"),
            control: await get("http://127.0.0.1:" + ports[0] + "/client/v4"),
          });
        },
      };`;
    putScript(edge.store, { name: "prying", namespace: "tenants", source });
    await edge.ask("acme.tenantry.test/version");
    const cells = edge.log.filter((line) => line["event"] === "cell-started");
    const listening = await listeningPorts(cells.map((line) => Number(line["pid"])));
    expect(listening.length).toBeGreaterThan(1);
    const answer = await edge.ask(`prying.tenantry.test/?ports=${[edge.port, ...listening].join()}`);
    const told = JSON.parse(answer.body);
    expect(new Set(told.raw)).toEqual(new Set(["failed"]));
    expect(told.ported.map(([status]: [number]) => status)).toEqual(listening.map(() => 502));
    expect(told.elsewhere[0]).toBe(502);
    expect(told.elsewhere[1]).toContain("api.example.com is not reachable from the local edge.");
    expect(told.control).toEqual([200, "control GET /client/v4"]);
  });

  it("cannot be reached on its own socket without the runtime's secret", async () => {
    await edge.ask("acme.tenantry.test/version");
    const started = edge.log.findLast((line) => line["event"] === "cell-started" && line["script"] === "tenants/acme");
    for (const port of await listeningPorts([Number(started?.["pid"])])) {
      const answer = await fetch(`http://127.0.0.1:${port}/version`);
      expect(answer.status).toBeGreaterThanOrEqual(403);
      expect(await answer.text()).not.toBe("1");
    }
  });
});

describe("redeployment and limits of cells", () => {
  let edge: TestEdge;
  beforeEach(async () => {
    edge = await startTestEdge({ runtime: { maxCells: 2 } });
    putDispatch(edge);
  });
  afterEach(() => edge.stop());

  it("runs the new version at once, lets requests finish in the old one and keeps what its objects hold", async () => {
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

  it("takes new limits and tags without a new process", async () => {
    putTenant(edge, "acme");
    await edge.ask("acme.tenantry.test/version");
    const script = edge.store.get("script", "tenants/acme");
    if (script === undefined) throw new Error("The script is not there.");
    edge.store.put("script", { ...script, tags: ["plan:pro"], limits: { subrequests: 1 } });
    expect((await edge.ask("acme.tenantry.test/subrequests?n=2")).body).toBe("dispatch: Too many subrequests.");
    expect(edge.log.filter((line) => line["event"] === "cell-started")).toHaveLength(1);
  });

  it("removes the data of a deleted script", async () => {
    putTenant(edge, "acme");
    expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("1");
    edge.store.delete("script", "tenants/acme");
    expect((await edge.ask("acme.tenantry.test/memory")).status).toBe(404);
    await until(() => !existsSync(join(edge.directory, "runtime", "cells", "tenants", "acme")));
    putTenant(edge, "acme");
    expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("1");
  });

  it("ends the cell that was used least recently when there are too many", async () => {
    for (const name of ["a", "b", "c"]) putTenant(edge, name);
    await edge.ask("a.tenantry.test/version");
    await edge.ask("b.tenantry.test/version");
    await edge.ask("a.tenantry.test/version");
    await edge.ask("c.tenantry.test/version");
    expect(edge.runtime.cells()).toEqual(["tenants/a", "tenants/c"]);
    expect((await edge.ask("b.tenantry.test/version")).body).toBe("1");
    expect(edge.runtime.cells()).toEqual(["tenants/c", "tenants/b"]);
  });

  it("cuts off a cell that spins, and delays no other", async () => {
    putTenant(edge, "acme");
    putTenant(edge, "calm");
    await edge.ask("acme.tenantry.test/version");
    await edge.ask("calm.tenantry.test/version");
    const spinning = edge.ask("acme.tenantry.test/spin", {
      headers: { "limit-cpu": "3000", accept: "application/json" },
    });
    let cutOff = false;
    void spinning.then(() => {
      cutOff = true;
    });
    expect((await edge.ask("calm.tenantry.test/version")).body).toBe("1");
    expect(cutOff).toBe(false);
    const answer = await spinning;
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({
      error_code: 1102,
      title: "Error 1102: Worker exceeded resource limits",
    });
    expect((await edge.ask("acme.tenantry.test/version")).body).toBe("1");
  });

  it("cuts off a cell that spins in a WebSocket's message", async () => {
    putTenant(edge, "acme");
    const script = edge.store.get("script", "tenants/acme");
    if (script === undefined) throw new Error("The script is not there.");
    edge.store.put("script", { ...script, limits: { cpu_ms: 300 } });
    const socket = await openSocket(edge.port, "acme.tenantry.test/ws");
    await exchange(socket, "hello");
    const closed = once(socket, "close");
    socket.send("spin");
    await closed;
    expect(edge.log.some((line) => line["event"] === "cpu-limit")).toBe(true);
  });
});

describe("a cell whose process dies", () => {
  it("is replaced at the next request, and so are the processes beside it", async () => {
    const edge = await startTestEdge();
    try {
      putDispatch(edge);
      putTenant(edge, "acme");
      expect((await edge.ask("acme.tenantry.test/memory")).body).toBe("1");
      for (const { pid } of await workerds()) process.kill(pid, "SIGKILL");
      await until(async () => (await edge.ask("acme.tenantry.test/memory")).status === 200);
      expect((await edge.ask("acme.tenantry.test/subrequests?n=4")).body).toBe("made 4");
      expect(Number((await edge.ask("acme.tenantry.test/memory")).body)).toBeGreaterThanOrEqual(3);
    } finally {
      await edge.stop();
    }
    expect(await workerds()).toEqual([]);
  });
});

describe("an idle cell", () => {
  it("is woken for an alarm of its objects, also by the next runtime", async () => {
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

  it("ends, and starts again at the next request", async () => {
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

/** Loopback ports the processes listen on, by the sockets they hold. */
async function listeningPorts(pids: number[]): Promise<number[]> {
  const { readFileSync, readdirSync, readlinkSync } = await import("node:fs");
  const inodes = new Set<string>();
  for (const pid of pids) {
    if (!existsSync(`/proc/${pid}/fd`)) continue;
    for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? [];
      if (inode !== undefined) inodes.add(inode);
    }
  }
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === "0A" && inodes.has(fields[9] ?? ""))
    .map((fields) => Number.parseInt(fields[1]?.split(":")[1] ?? "", 16));
}

/** Processes of workerd that this one has started. */
async function workerds(): Promise<{ pid: number }[]> {
  const { readFileSync } = await import("node:fs");
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter((text) => text !== "")
    .map((text) => ({ pid: Number(text) }))
    .filter(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("workerd"));
}
