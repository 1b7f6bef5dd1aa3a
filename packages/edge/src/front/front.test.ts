import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Access } from "../access/access.ts";
import { Internet } from "../containers/network/names/internet.ts";
import { putRoute, putScript } from "../runtime/testing/scripts.ts";
import { passAll, startTestEdge, type TestEdge, until } from "../runtime/testing/test-edge.ts";
import { exchange, openSocket } from "../runtime/testing/web-socket.ts";
import { openFront } from "./front.ts";

const ECHO = `
  let aborts = 0;
  export default {
    async fetch(request, env) {
      const url = new URL(request.url);
      if (url.pathname === "/ws") {
        const [client, server] = Object.values(new WebSocketPair());
        server.accept();
        server.addEventListener("message", (event) => server.send(env.NAME + " " + event.data));
        return new Response(null, { status: 101, webSocket: client });
      }
      if (url.pathname === "/body") return new Response(request.body);
      if (url.pathname === "/moved") return new Response(null, { status: 302, headers: { location: "/there" } });
      if (url.pathname === "/cookies") {
        return new Response("", { headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"]] });
      }
      if (url.pathname === "/out") {
        const { method, body } = request;
        const answer = await fetch(url.searchParams.get("to"), { method, body, redirect: "manual" });
        return new Response(await answer.text(), { status: answer.status });
      }
      if (url.pathname === "/aborts") return new Response(String(aborts));
      if (url.pathname === "/endless") {
        request.signal.addEventListener("abort", () => { aborts += 1; });
        return new Response(new ReadableStream({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 20));
            controller.enqueue(new Uint8Array(10));
          },
        }));
      }
      return Response.json({ by: env.NAME, url: request.url, method: request.method, headers: Object.fromEntries(request.headers) });
    },
  };`;

const access: Access = {
  ...passAll,
  authorize: async ({ url, headers }) => {
    if (url.hostname === "open.tenantry.test") return { kind: "pass" };
    if (url.hostname !== "closed.tenantry.test" || headers.get("cf-access-token") === "good") {
      return { kind: "pass", jwt: "signed" };
    }
    return {
      kind: "respond",
      response: new Response("log in", { status: 302, headers: { location: "http://team/" } }),
    };
  },
};

describe("the front", () => {
  let edge: TestEdge;
  let outside: Server;
  let outsideHost: string;
  beforeAll(async () => {
    outside = createServer(async (request, response) => {
      const { method, url, headers } = request;
      response.writeHead(418).end(JSON.stringify({ method, url, host: headers.host, body: await text(request) }));
    });
    outsideHost = `127.0.0.1:${await listen(outside, { port: 0 })}`;
    edge = await startTestEdge({
      front: { access, internet: new Internet({ [outsideHost]: outsideHost, "api.vendor.test": outsideHost }) },
    });
    for (const name of ["wide", "dash", "api"]) {
      const bindings = [{ type: "plain_text", name: "NAME", text: name }];
      putScript(edge.store, { name, source: ECHO, bindings, flags: ["enable_request_signal"] });
    }
    putRoute(edge.store, "*.tenantry.test/*", "wide");
    putRoute(edge.store, "dash.tenantry.test/*", "dash");
    putRoute(edge.store, "dash.tenantry.test/api/*", "api");
  });
  afterAll(async () => {
    outside.close();
    await edge.stop();
  });

  const seen = async (address: string, headers: Record<string, string> = {}) =>
    JSON.parse((await edge.ask(address, { headers })).body);

  test("routes by host and path", async () => {
    expect((await edge.ask("127.0.0.1/client/v4/x", { method: "PUT" })).body).toBe("control PUT /client/v4/x");
    expect((await edge.ask("localhost/local", { method: "POST", body: "?body" })).body).toBe(
      "control POST /local?body",
    );
    expect((await edge.ask("localhost/local")).body).toBe("control GET /local");
    expect((await edge.ask("team.access.test/login")).body).toBe("access /login");
    expect((await edge.ask("dash.tenantry.test/cdn-cgi/access/logout")).body).toBe("access /cdn-cgi/access/logout");
    expect((await seen("acme.tenantry.test/")).by).toBe("wide");
    expect((await seen("dash.tenantry.test/x")).by).toBe("dash");
    expect((await seen("dash.tenantry.test/api/x")).by).toBe("api");
    const unknown = await edge.ask("other.test/", { headers: { accept: "text/html" } });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toContain("No Worker route");
  });

  test("removes headers that only the edge may set", async () => {
    const headers = {
      "cf-access-jwt-assertion": "forged",
      "cf-connecting-ip": "6.6.6.6",
      "cf-anything": "x",
      "mf-original-url": "http://evil/",
      "x-edge-secret": "x",
      "x-forwarded-proto": "https",
      "x-forwarded-for": "9.9.9.9",
      "x-own": "kept",
    };
    const passed = (await seen("acme.tenantry.test/a?b=c", headers)).headers;
    expect(passed).toMatchObject({
      host: `acme.tenantry.test:${edge.port}`,
      "cf-access-jwt-assertion": "signed",
      "cf-connecting-ip": "127.0.0.1",
      "x-forwarded-proto": "http",
      "x-forwarded-for": "9.9.9.9, 127.0.0.1",
      "x-own": "kept",
    });
    expect(passed["cf-ray"]).toMatch(/^[0-9a-f]{16}-LOCAL$/);
    expect(passed["cf-anything"]).toBeUndefined();
    expect(Object.keys(passed).filter((name) => /^(mf|x-edge)-/.test(name))).toEqual([]);
    expect((await seen("open.tenantry.test/", headers)).headers["cf-access-jwt-assertion"]).toBeUndefined();
  });

  test("checks Access first, also for WebSockets", async () => {
    const refused = await edge.ask("closed.tenantry.test/");
    expect([refused.status, refused.headers.location, refused.body]).toEqual([302, "http://team/", "log in"]);
    expect((await seen("closed.tenantry.test/", { "cf-access-token": "good" })).by).toBe("wide");
    await expect(openSocket(edge.port, "closed.tenantry.test/ws")).rejects.toThrow("302");
    await expect(openSocket(edge.port, "unknown.other.test/ws")).rejects.toThrow("404");
  });

  test("passes WebSockets, redirects, cookies and bodies unchanged", async () => {
    const socket = await openSocket(edge.port, "dash.tenantry.test/ws");
    expect(await exchange(socket, "hello")).toBe("dash hello");
    socket.close();
    await once(socket, "close");
    expect((await edge.ask("dash.tenantry.test/moved")).headers.location).toBe("/there");
    expect((await edge.ask("dash.tenantry.test/cookies")).headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    const body = "z".repeat(3_000_000);
    expect((await edge.ask("dash.tenantry.test/body", { method: "PUT", body })).body === body).toBe(true);
    const head = await edge.ask("dash.tenantry.test/", { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  test("serves an upgrade to another protocol, or with another method, as a plain request", async () => {
    for (const protocol of ["h2c", "websocket"]) {
      const request = `POST /body HTTP/1.1\r\nHost: dash.tenantry.test\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\nContent-Length: 5\r\n\r\nhello`;
      const socket = connect(edge.port, "127.0.0.1");
      socket.write(request);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK\r\n.*hello/s);
    }
  });

  test("removes user and fragment of an absolute request line", async () => {
    const socket = connect(edge.port, "127.0.0.1");
    socket.write("GET http://user:word@dash.tenantry.test/a?b#c HTTP/1.1\r\nConnection: close\r\n\r\n");
    expect(await text(socket)).toContain('"url":"http://dash.tenantry.test/a?b"');
  });

  test("joins separate cookie headers, as HTTP/2 sends them", async () => {
    const request =
      "GET / HTTP/1.1\r\nHost: dash.tenantry.test\r\nCookie: a=1\r\nCookie: b=2\r\nConnection: close\r\n\r\n";
    const socket = connect(edge.port, "127.0.0.1");
    socket.write(request);
    expect(await text(socket)).toContain('"cookie":"a=1; b=2"');
  });

  test("streams the body of a request before its end", async () => {
    const sent = httpRequest({
      host: "127.0.0.1",
      port: edge.port,
      method: "POST",
      path: "/body",
      headers: { host: "dash.tenantry.test", "transfer-encoding": "chunked" },
      agent: false,
    });
    sent.write("first ");
    const [answer] = await once(sent, "response");
    const pieces = answer[Symbol.asyncIterator]();
    expect(String((await pieces.next()).value)).toBe("first ");
    sent.end("last");
    expect(String((await pieces.next()).value)).toBe("last");
    expect((await pieces.next()).done).toBe(true);
  });

  test("aborts the Worker's request when the client disconnects", async () => {
    const sent = httpRequest({
      host: "127.0.0.1",
      port: edge.port,
      path: "/endless",
      headers: { host: "dash.tenantry.test" },
      agent: false,
    });
    sent.end();
    const [answer] = await once(sent, "response");
    await once(answer, "data");
    answer.on("error", () => {});
    sent.destroy();
    await until(async () => (await edge.ask("dash.tenantry.test/aborts")).body === "1");
  });

  test("lets Workers fetch hosts of the internet that it was given", async () => {
    for (const [host, scheme] of [
      [outsideHost, "http"],
      ["api.vendor.test", "http"],
      ["api.vendor.test", "https"],
    ]) {
      const to = encodeURIComponent(`${scheme}://${host}/api/x?y=1`);
      const { status, body } = await edge.ask(`dash.tenantry.test/out?to=${to}`, { method: "POST", body: "the body" });
      expect([status, JSON.parse(body)]).toEqual([418, { method: "POST", url: "/api/x?y=1", host, body: "the body" }]);
    }
    // Not for others than Workers.
    expect((await edge.ask(`${outsideHost}/api/x`)).status).not.toBe(418);
  });

  test("lets Workers fetch each other and the control routes, and nothing else", async () => {
    const out = (to: string) => edge.ask(`dash.tenantry.test/out?to=${encodeURIComponent(to)}`);
    expect((await out(`http://127.0.0.1:${edge.port}/rest/v1/rpc/x`)).body).toBe("control GET /rest/v1/rpc/x");
    expect((await out(`http://team.access.test:${edge.port}/cdn-cgi/access/certs`)).body).toBe(
      "access /cdn-cgi/access/certs",
    );
    expect(JSON.parse((await out("http://acme.tenantry.test/x")).body).by).toBe("wide");
    for (const to of ["https://api.example.com/", "http://127.0.0.1:1/", "http://10.0.0.1/"]) {
      const answer = await out(to);
      expect(answer.status).toBe(502);
      expect(answer.body).toContain("is not reachable from the edge");
    }
  });

  test.each([
    ["no address", "GET / HTTP/1.1\r\n\r\n", "400"],
    ["an impossible host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "400"],
    ["a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "400"],
    ["a strange target", "OPTIONS * HTTP/1.1\r\nHost: dash.tenantry.test\r\n\r\n", "400"],
    ["no HTTP", "\x16\x03\x01\x00\xa5\x01\x00\r\n\r\n", "400"],
    ["endless headers", `GET / HTTP/1.1\r\nHost: dash.tenantry.test\r\nX: ${"x".repeat(200_000)}\r\n\r\n`, "431"],
    ["too large headers", `GET / HTTP/1.1\r\nHost: dash.tenantry.test\r\nX: ${"x".repeat(131_072)}\r\n\r\n`, "431"],
    ["a long address", `GET /${"x".repeat(16_384)} HTTP/1.1\r\nHost: dash.tenantry.test\r\n\r\n`, "414"],
    ["two hosts", "GET / HTTP/1.1\r\nHost: dash.tenantry.test\r\nHost: other.test\r\n\r\n", "400"],
    ["a huge body", "POST / HTTP/1.1\r\nHost: dash.tenantry.test\r\nContent-Length: 999999999\r\n\r\n", "413"],
    [
      "an upgrade to an unknown protocol",
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
      "200",
    ],
  ])("responds to a request with %s, and continues", async (_, request, status) => {
    expect(await firstLine(edge.port, request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect((await seen("dash.tenantry.test/")).by).toBe("dash");
  });

  test("delivers the refusal to a client that continues to send", async () => {
    const socket = connect(edge.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      "POST / HTTP/1.1\r\nHost: dash.tenantry.test\r\nConnection: close\r\nContent-Length: 999999999\r\n\r\n",
    );
    for (let sent = 0; sent < 3; sent++) {
      await delay(100);
      await new Promise<void>((resolve, reject) => {
        socket.write(Buffer.alloc(16_384), (error) => (error ? reject(error) : resolve()));
      });
    }
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 /);
  });

  test("reports a port that is in use", async () => {
    await expect(openFront(edge.port, () => {})).rejects.toThrow(`Port ${edge.port} is in use by another program.`);
  });

  test("keeps idle connections longer than workerd does", async () => {
    const answer = await fetch(`http://127.0.0.1:${edge.port}/local`);
    expect(answer.headers.get("keep-alive")).toBe("timeout=60");
  });

  test("returns 503 until it serves", async () => {
    const front = await openFront(0, () => {});
    expect(await firstLine(front.port, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1.1 503 /,
    );
    await front.stop();
  });
});

async function firstLine(port: number, request: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(request);
  const [data] = await once(socket, "data");
  socket.destroy();
  return String(data).split("\r\n")[0] ?? "";
}
