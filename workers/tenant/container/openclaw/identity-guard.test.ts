/** The identity guard in a process with an HTTP server instead of OpenClaw, which returns the headers it receives. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@tenantry/std/free-port";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Role } from "#workers/contracts/roles.ts";
import { UserTickets } from "../../gateway/tickets/user-tickets.ts";

const PROGRAM = `
import { createServer } from "node:http";
const receivedHeaders = (request) => JSON.stringify({ headers: request.headers, raw: request.rawHeaders, distinct: request.headersDistinct });
createServer((request, response) => response.end(receivedHeaders(request)))
  .on("upgrade", (request, socket) => {
    const body = receivedHeaders(request);
    socket.end("HTTP/1.1 403 No\\r\\nconnection: close\\r\\ncontent-length: " + Buffer.byteLength(body) + "\\r\\n\\r\\n" + body);
  })
  .listen(Number(process.env.GATEWAY_PORT), "127.0.0.1", () => console.log("listening"));`;

const SAID = {
  "x-platform-user": "root@x.example",
  "x-platform-role": "ROOT",
  "x-forwarded-for": "203.0.113.9",
  "x-openclaw-scopes": "operator.admin",
  forwarded: "for=203.0.113.9",
};
let root: string;
let gateway: ChildProcess;
let port: number;
let jwk: JWK;
const tickets = new UserTickets({ tenant: "acme" });
const ticket = (email: string, role: Role) => tickets.get({ email, role }, async () => jwk);

beforeAll(async () => {
  jwk = await exportJWK((await generateKeyPair("EdDSA", { extractable: true })).privateKey);
  root = mkdtempSync(join(tmpdir(), "guard-test-"));
  port = await freePort();
  const guard = join(import.meta.dirname, "identity-guard.mjs");
  gateway = spawn(process.execPath, ["--import", guard, "--input-type=module", "-e", PROGRAM], {
    env: { GATEWAY_PORT: String(port), TICKET_KEY: jwk.x, TENANT_SLUG: "acme", STATE_DIR: root },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (gateway.stdout) await once(gateway.stdout, "data");
});
afterAll(() => {
  gateway.kill();
  rmSync(root, { recursive: true, force: true });
});

interface Identity {
  headers: Record<string, string>;
  raw: string[];
  distinct: Record<string, string[]>;
}

async function ask(headers: Record<string, string>, method = "GET"): Promise<Identity> {
  return (await (await fetch(`http://127.0.0.1:${port}/`, { method, headers })).json()) as Identity;
}

async function upgrade(headers: Record<string, string>): Promise<Identity> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers });
  const [, response] = await once(socket, "unexpected-response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return JSON.parse(text);
}

test.each([
  ["a request", ask],
  ["a WebSocket", upgrade],
])("removes identity headers from %s without a ticket", async (_, call) => {
  const received = JSON.stringify(await call({ ...SAID, authorization: "Bearer its-own" }));
  expect(received).not.toMatch(/root@x\.example|ROOT|203\.0\.113\.9|operator\.admin/);
  expect(received).toContain("Bearer its-own");
});

test.each([
  ["a request", ask],
  ["a WebSocket", upgrade],
])("sets the identity of %s from its ticket", async (_, call) => {
  const base = await call({
    ...SAID,
    authorization: "Bearer gateway",
    "x-platform-ticket": await ticket("bob@acme.example", "BASE_USER"),
    "x-platform-address": "198.51.100.7",
  });
  expect(base.headers).toMatchObject({
    "x-platform-user": "bob@acme.example",
    "x-platform-role": "BASE_USER",
    "x-forwarded-for": "198.51.100.7",
    "x-openclaw-scopes": "operator.read,operator.write,operator.questions",
  });
  expect(base.headers.authorization).toBeUndefined();
  expect(base.distinct["x-platform-role"]).toEqual(["BASE_USER"]);
  expect(JSON.stringify(base.raw)).not.toMatch(/ROOT|ticket|gateway/);
  const admin = await call({
    "x-platform-ticket": await ticket("ada@acme.example", "ADMIN"),
    "x-platform-address": "127.0.0.1",
  });
  expect(admin.headers["x-openclaw-scopes"]).toContain("operator.admin");
  expect(admin.headers["x-forwarded-for"]).toBe("192.0.2.1");
});

test("ignores a ticket with another key or tenant, or an expired one", async () => {
  const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  const forged = { jwk: await exportJWK(privateKey), tenant: "acme", now: Date.now() };
  const others = [
    forged,
    { jwk, tenant: "globex", now: Date.now() },
    { jwk, tenant: "acme", now: Date.now() - 3_600_000 },
  ];
  for (const { jwk: key, tenant, now } of others) {
    const made = await new UserTickets({ tenant, now: () => now }).get(
      { email: "ada@acme.example", role: "ADMIN" },
      async () => key,
    );
    expect((await ask({ "x-platform-ticket": made })).headers["x-platform-user"]).toBeUndefined();
  }
  const unsigned = await new SignJWT({ role: "ROOT", sub: "x", aud: "acme", exp: 9e9 })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new Uint8Array(32));
  for (const made of [unsigned, "", "a.b", "a.b.c.d"])
    expect((await ask({ "x-platform-ticket": made })).headers["x-platform-user"]).toBeUndefined();
});

test("records administrators for the next start, and leaves OpenClaw's configuration as it is", async () => {
  for (const role of ["ADMIN", "BASE_USER", "ROOT", "ADMIN"] as const)
    await ask({ "x-platform-ticket": await ticket(`New-${role}@acme.example`, role) });
  const recorded = JSON.parse(readFileSync(join(root, ".tenantry-operators.json"), "utf8"));
  expect(recorded.slice(-2)).toEqual(["new-admin@acme.example", "new-root@acme.example"]);
  expect(readdirSync(root)).toEqual([".tenantry-operators.json"]);
});

test("replaces the ticket key by an order of the Worker only, while OpenClaw runs", async () => {
  const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  const next = await exportJWK(privateKey);
  const seconds = Math.floor(Date.now() / 1000);
  const order = async (key: JWK, until: number) =>
    new SignJWT({ nextKey: next.x, until })
      .setProtectedHeader({ alg: "EdDSA" })
      .setAudience("acme")
      .setExpirationTime(seconds + 60)
      .sign(await importJWK(key, "EdDSA"));
  const send = async (body: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${port}/ticket-key`, { method: "POST", headers, body })).status;
  const userOf = async (made: string) => (await ask({ "x-platform-ticket": made })).headers["x-platform-user"];
  const before = await ticket("ada@acme.example", "ADMIN");
  const after = await new UserTickets({ tenant: "acme" }).get(
    { email: "ada@acme.example", role: "ADMIN" },
    async () => next,
  );
  expect(await userOf(before)).toBe("ada@acme.example");
  for (const body of ["", "x", "a.b.c", "x".repeat(5_000), before, await order(next, seconds)])
    expect(await send(body)).toBe(403);
  expect(await userOf(after)).toBeUndefined();
  // A user's request, which OpenClaw handles.
  expect(await send(await order(jwk, seconds), { "x-platform-role": "ROOT" })).toBe(200);
  expect(await userOf(after)).toBeUndefined();
  expect(await send(await order(jwk, seconds - 1))).toBe(200);
  expect(await userOf(after)).toBe("ada@acme.example");
  // The ticket was valid before, but its key no longer is.
  expect(await userOf(before)).toBeUndefined();
  // The repeated order changes nothing.
  expect(await send(await order(jwk, seconds + 600))).toBe(200);
  expect(await userOf(before)).toBeUndefined();
});
