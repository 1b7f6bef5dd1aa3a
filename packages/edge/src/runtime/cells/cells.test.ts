import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { putScript } from "../testing/scripts.ts";
import { putDispatch, putTenant } from "../testing/tenant-script.ts";
import { startTestEdge, type TestEdge, until } from "../testing/test-edge.ts";
import { exchange, openSocket } from "../testing/web-socket.ts";

describe("a dispatched script", () => {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await startTestEdge();
    putDispatch(edge);
    putTenant(edge, "acme");
  });
  afterAll(() => edge.stop());

  test("gets the address, cf and headers of the client's request", async () => {
    const seen = JSON.parse((await edge.ask("acme.tenantry.test/seen?a=b%20c", { headers: { "x-own": "1" } })).body);
    expect(seen.url).toBe(`http://acme.tenantry.test:${edge.port}/seen?a=b%20c`);
    expect(seen.cf.colo).toBe("LOCAL");
    expect(seen.headers).toMatchObject({ host: `acme.tenantry.test:${edge.port}`, "x-own": "1" });
    expect(Object.keys(seen.headers).filter((name) => /^(x-edge|mf)-/.test(name))).toEqual([]);
  });

  test("receives and sends headers and addresses of the maximum size", async () => {
    const path = `/seen?${"%20".repeat(2_500)}`;
    const seen = JSON.parse(
      (await edge.ask(`acme.tenantry.test${path}`, { headers: { "x-big": "b".repeat(7_000) } })).body,
    );
    expect(seen.url).toBe(`http://acme.tenantry.test:${edge.port}${path}`);
    expect(seen.headers["x-big"]).toHaveLength(7_000);
    expect((await edge.ask("acme.tenantry.test/large-headers")).headers["x-big"]).toHaveLength(60_000);
  });

  test("receives and sends a body of 1 MB", async () => {
    const body = "0123456789abcdef".repeat(65_536);
    const answer = await edge.ask("acme.tenantry.test/echo", { method: "POST", body });
    expect(answer.headers["content-type"]).toBe("text/x");
    expect(answer.body === body).toBe(true);
  });

  test("streams, and is notified when the client disconnects", async () => {
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

  test("exchanges messages over a WebSocket", async () => {
    const socket = await openSocket(edge.port, "acme.tenantry.test/ws");
    expect(await exchange(socket, "one")).toBe("echo one");
    expect(await exchange(socket, "x".repeat(100_000))).toBe(`echo ${"x".repeat(100_000)}`);
    socket.close();
    await once(socket, "close");
  });

  test("closes the connection of a client that sent more before its upgrade was refused", async () => {
    const open = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
    // Of other files of this process, such as those of containers' networks.
    const others = open();
    const clients = Array.from({ length: 20 }, async () => {
      const socket = connect(edge.port, "127.0.0.1");
      socket.write(
        "GET /slow HTTP/1.1\r\nHost: acme.tenantry.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      );
      setTimeout(() => socket.write("not waiting for a response"), 100);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*slow 1/s);
    });
    await Promise.all(clients);
    await until(() => open() < others + 20);
  });

  test("throws its exception in the dispatching Worker", async () => {
    expect((await edge.ask("acme.tenantry.test/throw")).body).toBe("dispatch: from the tenant");
  });

  test("is not found under another name, with the vendor's message", async () => {
    expect(await edge.ask("unknown.tenantry.test/")).toMatchObject({
      status: 404,
      body: "dispatch: Worker not found.",
    });
  });

  test("makes at most as many subrequests as the dispatch allows", async () => {
    const limit = { "limit-subrequests": "6" };
    const within = edge.ask("acme.tenantry.test/subrequests?n=6", { headers: limit });
    expect((await within).body).toBe("made 6");
    const over = await edge.ask("acme.tenantry.test/subrequests?n=7", { headers: limit });
    expect(over.body).toBe("dispatch: Too many subrequests.");
    expect((await edge.ask("acme.tenantry.test/subrequests?n=6", { headers: limit })).body).toBe("made 6");
    expect((await edge.ask("acme.tenantry.test/objects?n=6", { headers: limit })).body).toBe("asked 6");
    const objects = await edge.ask("acme.tenantry.test/objects?n=7", { headers: limit });
    expect(objects.body).toBe("dispatch: Too many subrequests.");
    expect((await edge.ask("acme.tenantry.test/methods?n=6", { headers: limit })).body).toBe("called 6");
    const methods = await edge.ask("acme.tenantry.test/methods?n=7", { headers: limit });
    expect(methods.body).toBe("dispatch: Too many subrequests.");
  });

  test("limits subrequests of its objects by the script's own limit", async () => {
    const limit = { "limit-subrequests": "1" };
    const within = (n: number) => edge.ask(`acme.tenantry.test/within-object?n=${n}`, { headers: limit });
    expect((await within(20)).body).toBe("object made 20");
    const script = edge.store.get("script", "tenants/acme");
    if (script === undefined) throw new Error("no script");
    edge.store.put("script", { ...script, limits: { subrequests: 5 } });
    expect((await within(5)).body).toBe("object made 5");
    expect((await within(6)).body).toBe("dispatch: Too many subrequests.");
    expect((await within(5)).body).toBe("object made 5");
    edge.store.put("script", script);
    expect((await within(20)).body).toBe("object made 20");
  });

  test("reports the syntax error when it does not start", async () => {
    putTenant(edge, "broken", "1", "this is no script");
    const answer = await edge.ask("broken.tenantry.test/");
    expect(answer.status).toBe(500);
    expect(answer.body).toMatch(/^dispatch: tenants\/broken did not start: .*SyntaxError/s);
    putTenant(edge, "broken", "fixed");
    expect((await edge.ask("broken.tenantry.test/version")).body).toBe("fixed");
  });

  test("cannot reach another host, another port or another cell", async () => {
    const source = `
      import { connect } from "cloudflare:sockets";
      const attempt = async (work) => { try { return await work(); } catch (error) { return "failed"; } };
      export default {
        async fetch(request) {
          const ports = new URL(request.url).searchParams.get("ports").split(",");
          const raw = (port) => attempt(async () => {
            const socket = connect("127.0.0.1:" + port);
            const writer = socket.writable.getWriter();
            await writer.write(new TextEncoder().encode("GET http://acme.tenantry.test/version HTTP/1.1\\r\\nHost: acme.tenantry.test\\r\\n\\r\\n"));
            const { value } = await socket.readable.getReader().read();
            return value === undefined ? "failed" : new TextDecoder().decode(value);
          });
          const get = (url) => attempt(async () => { const answer = await fetch(url); return [answer.status, await answer.text()]; });
          return Response.json({
            raw: await Promise.all(ports.map(raw)),
            ported: await Promise.all(ports.slice(1).map((port) => get("http://127.0.0.1:" + port + "/version"))),
            external: await get("https://api.example.com/v1"),
            control: await get("http://127.0.0.1:" + ports[0] + "/client/v4"),
          });
        },
      };`;
    putScript(edge.store, { name: "prying", namespace: "tenants", source });
    await edge.ask("acme.tenantry.test/version");
    const cells = edge.log.filter((line) => line.event === "cell-started");
    const listening = listeningPorts(cells.map((line) => Number(line.pid)));
    expect(listening.length).toBeGreaterThan(1);
    const answer = await edge.ask(`prying.tenantry.test/?ports=${[edge.port, ...listening].join()}`);
    const seen = JSON.parse(answer.body);
    expect(new Set(seen.raw)).toEqual(new Set(["failed"]));
    expect(seen.ported.map(([status]: [number]) => status)).toEqual(listening.map(() => 502));
    expect(seen.external[0]).toBe(502);
    expect(seen.external[1]).toContain("api.example.com is not reachable from the edge.");
    expect(seen.control).toEqual([200, "control GET /client/v4"]);
  });

  test("is not reachable on its socket without the secret", async () => {
    await edge.ask("acme.tenantry.test/version");
    const started = edge.log.findLast((line) => line.event === "cell-started" && line.script === "tenants/acme");
    for (const port of listeningPorts([Number(started?.pid)])) {
      const answer = await fetch(`http://127.0.0.1:${port}/version`);
      expect(answer.status).toBeGreaterThanOrEqual(403);
      expect(await answer.text()).not.toBe("1");
    }
  });
});

/** Returns the loopback ports on which processes listen. */
function listeningPorts(pids: number[]): number[] {
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
