/** Malformed input as text on a socket: the edge and its Workers respond clearly and keep working. */

import { sendAndEnd, sendAndReset, sendRaw } from "@tenantry/test-kit/raw";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Edge } from "#local/edge.ts";
import { addDemoUsers } from "#local/start/demo.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";

const DOMAIN = "tenantry.localhost";
const ACME = `acme.${DOMAIN}`;
const HEALTH = "/api/health?passive=1";

let edge: Edge;
let close: () => Promise<void>;
let session: string;

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  await (await stackOf(edge, platformSettings([{ slug: "acme" }]))).up();
  await addDemoUsers(edge);
  await callUntil(
    () => call(edge, ACME, "/api/health"),
    ({ body }) => healthSnapshot.parse(JSON.parse(body)).startup.ok,
  );
  ({ cookie: session = "" } = await loggedIn(edge, "ada@acme.example", ACME));
});
afterAll(() => close?.());

/** Afterwards the tenant's Worker, its gateway and the dispatch Worker respond as before. */
afterEach(async () => {
  const health = await call(edge, ACME, HEALTH);
  expect(health.status, health.body).toBe(200);
  expect(healthSnapshot.parse(JSON.parse(health.body)).status).toBe("running");
  expect((await call(edge, ACME, "/api/notes", { headers: { cookie: session } })).status).toBe(200);
  expect((await call(edge, `nobody.${DOMAIN}`, "/")).status).toBe(404);
});

const lines = (...given: string[]) => `${given.join("\r\n")}\r\n\r\n`;
const get = (path: string, ...headers: string[]) => lines(`GET ${path} HTTP/1.1`, ...headers, "Connection: close");
const statusOf = async (request: string) => (await sendRaw(edge.port, request)).status;

describe("a host", () => {
  test.each([
    ["in upper case", "ACME.Tenantry.LOCALHOST"],
    ["with a trailing dot", `${ACME}.`],
    ["with another port", `${ACME}:1`],
    ["with spaces around", `  ${ACME}  `],
  ])("%s is the tenant's", async (_, host) => {
    const { status, text } = await sendRaw(edge.port, get(HEALTH, `Host: ${host}`));
    expect(status).toBe(200);
    expect(text).toContain('"status":"running"');
    // It does not bypass the login either.
    expect(await statusOf(get("/api/notes", `Host: ${host}`))).not.toBe(200);
  });

  test.each([
    ["of two labels", `a.${ACME}`],
    ["that is unknown", `nobody.${DOMAIN}`],
    ["that is reserved elsewhere", `dev-dash.${DOMAIN}`],
    ["of the development environment", `acme-dev.${DOMAIN}`],
    ["in punycode", `xn--bcher-kva.${DOMAIN}`],
    ["in malformed punycode", `xn--a.${DOMAIN}`],
    ["in punycode of nothing", `xn--.${DOMAIN}`],
    ["in full-width letters", `xn--acm-x79a.${DOMAIN}`],
    ["with bytes beyond ASCII", `b\u00fccher.${DOMAIN}`],
    ["with an underscore", `_acme.${DOMAIN}`],
    ["that begins with a hyphen", `-acme.${DOMAIN}`],
    ["with a label of 64 characters", `${"a".repeat(64)}.${DOMAIN}`],
    ["of 300 characters", `${"a.".repeat(140)}${DOMAIN}`],
    ["of the domain alone", DOMAIN],
    ["of another domain", "acme.example.test"],
    ["that is an address", "10.0.0.1"],
    ["that is an address of version 6", "[2001:db8::1]:80"],
  ])("%s is no tenant's", async (_, host) => {
    const { status, text } = await sendRaw(edge.port, get(HEALTH, `Host: ${host}`));
    expect([host, status]).toEqual([host, 404]);
    expect(text).not.toContain('"liveness"');
  });

  test.each([
    ["no host", []],
    ["an empty host", ["Host:"]],
    ["half an address of version 6", ["Host: [::1"]],
    ["a port that is none", [`Host: ${ACME}:99999`]],
    ["a user in front", [`Host: ada@${ACME}`]],
    ["a path behind", [`Host: ${ACME}/api`]],
    ["a space within", ["Host: ac me"]],
    ["a null byte", [`Host: acme\0.${DOMAIN}`]],
    ["two hosts", [`Host: ${ACME}`, `Host: nobody.${DOMAIN}`]],
    ["the same host twice", [`Host: ${ACME}`, `Host: ${ACME}`]],
  ])("is missing or wrong, with %s: 400", async (_, hosts) => {
    expect(await statusOf(get(HEALTH, ...hosts))).toBe(400);
  });
});

describe("a token", () => {
  test.each(["x", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "e".repeat(10_000), "%00", '"', "é"])(
    "that is malformed admits no one: %j",
    async (token) => {
      for (const carrier of [`Cookie: CF_Authorization=${token}`, `Cf-Access-Token: ${token}`])
        for (const accept of ["text/html", "*/*"])
          expect([302, 401, 403]).toContain(
            await statusOf(get("/api/notes", `Host: ${ACME}`, carrier, `Accept: ${accept}`)),
          );
      expect(await statusOf(get("/api/notes", `Host: ${ACME}`, `Cf-Access-Jwt-Assertion: ${token}`))).not.toBe(200);
    },
  );

  test.each([
    [100_000, 302],
    [140_000, 431],
  ])("of %d bytes is refused with status %d", async (size, status) => {
    const cookie = `Cookie: CF_Authorization=${"e".repeat(size)}`;
    expect(await statusOf(get("/api/notes", `Host: ${ACME}`, cookie))).toBe(status);
  });
});

describe("headers", () => {
  test("that are too large together are refused, many or one", async () => {
    const host = `Host: ${ACME}`;
    expect(await statusOf(get(HEALTH, host, `X-Large: ${"x".repeat(140_000)}`))).toBe(431);
    const many = Array.from({ length: 1_500 }, (_, index) => `X-Many-${index}: ${"x".repeat(80)}`);
    expect(await statusOf(get(HEALTH, host, ...many))).toBe(431);
    expect([414, 431]).toContain(await statusOf(get(`/${"x".repeat(60_000)}`, host)));
  });

  test("that are many and small are accepted", async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => `X${index}: 1`);
    expect([200, 431]).toContain(await statusOf(get(HEALTH, `Host: ${ACME}`, ...many)));
  });

  test.each([
    ["a space before the colon", "X-Odd : 1"],
    ["no colon", "X-Odd"],
    ["a line folded", "X-Odd: 1\r\n folded"],
    ["a bare line feed and a second request", `X-Odd: 1\n\nGET / HTTP/1.1\nHost: ${ACME}`],
    ["two lengths", "Content-Length: 1\r\nContent-Length: 2"],
    ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked"],
    ["a length that is none", "Content-Length: -1"],
    ["an unknown transfer encoding", "Transfer-Encoding: rot13"],
  ])("with %s are refused", async (_, header) => {
    expect(await statusOf(get(HEALTH, `Host: ${ACME}`, header))).toBe(400);
  });
});

describe("a body", () => {
  const post = (...headers: string[]) =>
    lines("POST /api/notes HTTP/1.1", `Host: ${ACME}`, `Cookie: ${session}`, ...headers);

  test("that the client announces with Expect arrives once, with its own response", async () => {
    const text = `asked ${Date.now()}`;
    const body = JSON.stringify({ text });
    const request = `${post("Expect: 100-continue", `Content-Length: ${body.length}`, "Connection: close")}${body}`;
    expect((await sendRaw(edge.port, request)).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    for (let round = 0; round < 5; round++) {
      const { status, body: notes } = await call(edge, ACME, "/api/notes", { headers: { cookie: session } });
      expect([status, notes.split(text).length - 1]).toEqual([200, 1]);
      expect(healthSnapshot.parse(JSON.parse((await call(edge, ACME, HEALTH)).body)).status).toBe("running");
    }
  });

  test.each(["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"])(
    "of a request that needs none has no effect: %j",
    async (framed) => {
      const request = `GET /api/notes HTTP/1.1\r\nHost: ${ACME}\r\nCookie: ${session}\r\nConnection: close\r\n${framed}`;
      expect(await statusOf(request)).toBe(200);
    },
  );

  test("that declares more than 100 MB is refused before it is sent", async () => {
    expect(await statusOf(post(`Content-Length: ${100 * 1024 * 1024 + 1}`, "Connection: close"))).toBe(413);
  });

  test("of 110 MB without a declared length is streamed to a gateway that refuses it", async () => {
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x100000, "x"), Buffer.from("\r\n")]);
    let sent = 0;
    async function* body() {
      yield Buffer.from(post("Transfer-Encoding: chunked", "Connection: close"));
      for (; sent < 110; sent++) yield chunk;
      yield Buffer.from("0\r\n\r\n");
    }
    expect((await sendRaw(edge.port, body())).status).toBe(413);
    // The response precedes the end of the body, so no one on the way buffers it.
    expect(sent).toBeLessThan(110);
  });

  test("that is incomplete affects no other request", async () => {
    await sendAndReset(edge.port, `${post("Content-Length: 1000")}{"text":`);
    await sendAndReset(edge.port, `${post("Transfer-Encoding: chunked")}5\r\n{"te`);
    expect(await statusOf(`${post("Transfer-Encoding: chunked", "Connection: close")}zz\r\n`)).toBe(400);
  });
});

describe("an upgrade", () => {
  const KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  const VERSION = "Sec-WebSocket-Version: 13";
  const STREAM = "/api/health/ws?passive=1";
  const upgrade = (path: string, ...headers: string[]) =>
    lines(`GET ${path} HTTP/1.1`, `Host: ${ACME}`, `Cookie: ${session}`, "Upgrade: websocket", ...headers);
  const CONNECTION = "Connection: Upgrade";

  test.each([STREAM, "/echo"])("to %s that is incomplete is refused", async (path) => {
    const halves = {
      "no key": [CONNECTION, VERSION],
      "no version": [CONNECTION, KEY],
      "an old version": [CONNECTION, KEY, "Sec-WebSocket-Version: 8"],
      "no Connection": [KEY, VERSION, "Connection: close"],
    };
    for (const [half, headers] of Object.entries(halves)) {
      const text = await sendAndReset(edge.port, upgrade(path, ...headers), "\r\n\r\n");
      expect([half, text.slice(0, 12)]).toEqual([half, expect.stringMatching(/^HTTP\/1\.1 4\d\d/)]);
    }
  });

  test.each(["/api/notes", "/api/health", "/nothing"])(
    "to %s, which is not a WebSocket, is not upgraded",
    async (path) => {
      const text = await sendAndReset(edge.port, upgrade(path, CONNECTION, KEY, VERSION), "\r\n\r\n");
      expect(text).toMatch(/^HTTP\/1\.1 [2345]\d\d /);
    },
  );

  test.each([STREAM, "/echo"])("to %s that is aborted at any moment affects no other request", async (path) => {
    const whole = upgrade(path, CONNECTION, KEY, VERSION);
    for (const part of [10, whole.length - 2]) await sendAndReset(edge.port, whole.slice(0, part));
    for (let round = 0; round < 10; round++) await sendAndReset(edge.port, whole);
    expect(await sendAndReset(edge.port, whole, "\r\n\r\n")).toMatch(/^HTTP\/1\.1 101 /);
  });

  test.each([
    ["no mask", Buffer.from([0x81, 0x01, 0x78])],
    ["a reserved opcode", Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
    [
      "a length beyond all reason",
      Buffer.from([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]),
    ],
    ["half a frame", Buffer.from([0x81, 0xfe])],
    ["no frame at all", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ])("that is followed by %s affects no other request", async (_, frame) => {
    for (const path of [STREAM, "/echo"]) {
      const text = await sendAndReset(edge.port, upgrade(path, CONNECTION, KEY, VERSION), "\r\n\r\n", frame);
      expect(text).toMatch(/^HTTP\/1\.1 101 /);
    }
  });
});

describe("any text on a socket", () => {
  const template = (path: string) =>
    `${lines(
      `POST ${path} HTTP/1.1`,
      `Host: ${ACME}`,
      "Cookie: CF_Authorization=a.b.c",
      "Content-Length: 2",
      "Connection: close",
    )}{}`;
  const mutation = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    length: fc.nat(6),
    by: fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom(
        "\r\n",
        "\n",
        "\r",
        "\0",
        ":",
        " ",
        "%",
        "..",
        "//",
        "Host: x\r\n",
        "Transfer-Encoding: chunked\r\n",
        "HTTP/1.1",
      ),
    ),
  });
  const mutated = fc
    .tuple(
      fc.constantFrom("/api/notes", "/api/health", "/cdn-cgi/access/login", "/", "http://x/"),
      fc.array(mutation, { maxLength: 4 }),
    )
    .map(([path, mutations]) => {
      let text = template(path);
      for (const { at, length, by } of mutations) {
        const start = Math.floor(at * text.length);
        text = text.slice(0, start) + by + text.slice(start + length);
      }
      return text;
    });

  test("gets a response or a closed connection, and never a server error or the tenant's response", async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async (text) => {
        const { status, text: answer } = await sendAndEnd(edge.port, Buffer.from(text));
        // 501: a method that the runtime does not support. 502: an address outside the edge.
        expect([0, 200, 302, 400, 401, 403, 404, 405, 408, 413, 417, 431, 501, 502]).toContain(status);
        expect(answer).not.toContain('"notes"');
        expect(answer).not.toMatch(/ended before it answered|at .*\.ts:\d+/);
      }),
      { numRuns: 400 },
    );
  });

  test("that never ends times out", async () => {
    const { status } = await sendRaw(edge.port, `GET / HTTP/1.1\r\nHost: ${ACME}\r\nX-Slow: `);
    expect(status).toBe(408);
  });
});
