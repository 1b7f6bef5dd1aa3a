/** Deliveries in a process with HTTP servers instead of OpenClaw and its listener for Telegram, which return the headers they receive. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "@tenantry/std/free-port";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UserTickets } from "../../../gateway/tickets/user-tickets.ts";
import { deliveryKeyOf } from "../../../inbox/request.ts";
import { deliveryKey } from "./secrets.mjs";

const KEY = deliveryKey("the-gateway-token");
const TELEGRAM = "/telegram-webhook";
const SECRET_TOKEN = "x-telegram-bot-api-secret-token";

const PROGRAM = `
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
const send = (response, body) => response.end(JSON.stringify(body));
const telegram = createServer(async ({ headers, rawHeaders, headersDistinct }, response) => {
  send(response, { by: "telegram", headers, rawHeaders, headersDistinct });
});
// As Express listens. OpenClaw cannot choose the address.
const teams = createServer(async ({ headers }, response) => send(response, { by: "msteams", headers }));
createServer(async (request, response) => {
  const { url, headers, rawHeaders, headersDistinct } = request;
  if (url === "/listen") return telegram.listen(0, "127.84.71.1", () => send(response, telegram.address().port));
  if (url === "/listen-as-teams") return teams.listen(3978, () => send(response, teams.address()));
  if (url === "/stop") return telegram.close(() => send(response, {}));
  if (url === "/environment") return send(response, process.env);
  if (url === "/child") {
    const print = "console.log(JSON.stringify(process.env))";
    return send(response, JSON.parse(execFileSync(process.execPath, [...process.execArgv.slice(0, 4), "-e", print])));
  }
  send(response, { by: "openclaw", url, headers, rawHeaders, headersDistinct, body: await text(request) });
}).listen(Number(process.env.GATEWAY_PORT), "127.0.0.1", () => console.log("listening"));`;

/** Becomes the program with the preloads and secrets, as \`run.mjs\` does. */
const LAUNCH = `
const { executeWith } = await import(process.env.SECRETS_MODULE);
const command = [process.execPath, ...JSON.parse(process.env.COMMAND)];
const { SECRETS_MODULE, COMMAND, GIVEN, ...env } = process.env;
executeWith(JSON.parse(GIVEN), command, env);`;

const GIVEN = {
  deliveryKey: KEY,
  variables: { TENANTRY_TELEGRAM_BOT_TOKEN: "1:bot $token\"'`" },
  telegramSecret: "the-secret-token",
};

let root: string;
let gateway: ChildProcess;
let port: number;
let ticket: string;

interface Received {
  by?: string;
  url?: string;
  headers: Record<string, string>;
  rawHeaders: string[];
  headersDistinct: Record<string, string[]>;
  body?: string;
}

function launch(command: readonly string[], variables: NodeJS.ProcessEnv): ChildProcess {
  const own = { SECRETS_MODULE: join(import.meta.dirname, "secrets.mjs"), COMMAND: JSON.stringify(command) };
  return spawn(process.execPath, ["--input-type=module", "-e", LAUNCH], {
    env: { ...variables, ...own, GIVEN: JSON.stringify(GIVEN) },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "deliveries-test-"));
  port = await freePort();
  const jwk = await exportJWK((await generateKeyPair("EdDSA", { extractable: true })).privateKey);
  ticket = await new UserTickets({ tenant: "acme" }).get({ email: "ada@acme.example", role: "ROOT" }, async () => jwk);
  const preloads = ["deliveries.mjs", "../identity-guard.mjs"].map((name) => join(import.meta.dirname, name));
  const command = [...preloads.flatMap((path) => ["--import", path]), "--input-type=module", "-e", PROGRAM];
  gateway = launch(command, {
    GATEWAY_PORT: String(port),
    TICKET_KEY: jwk.x,
    TENANT_SLUG: "acme",
    STATE_DIR: root,
    DELIVERED_CHANNELS: "telegram,slack,line,msteams",
  });
  if (gateway.stdout) await once(gateway.stdout, "data");
});
afterAll(() => {
  gateway.kill();
  rmSync(root, { recursive: true, force: true });
});

/** Sends a request with its path unchanged, which `fetch` would normalize. */
async function send(path: string, headers: Record<string, string> = {}, body = "the body", to = {}) {
  const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers, ...to });
  sent.end(body);
  const [response] = await once(sent, "response");
  return { status: response.statusCode, received: JSON.parse(await text(response)) as Received & { error?: string } };
}
const read = async <T>(path: string): Promise<T> => (await send(path)).received as T;
const hooksToken = async () => (await read<Record<string, string>>("/environment")).TENANTRY_HOOKS_TOKEN ?? "";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("passes secrets to the process only, not to its environment for others or to its children", async () => {
  const inside = await read<Record<string, string>>("/environment");
  expect(inside.TENANTRY_TELEGRAM_BOT_TOKEN).toBe(GIVEN.variables.TENANTRY_TELEGRAM_BOT_TOKEN);
  expect(inside.TENANTRY_SECRETS).toBeUndefined();
  const outside = readFileSync(`/proc/${gateway.pid}/environ`, "utf8");
  for (const secret of [KEY, "1:bot", "the-secret-token", await hooksToken()]) expect(outside).not.toContain(secret);
  // A child with the same preloads has no pipe.
  expect(JSON.stringify(await read("/child"))).not.toContain(KEY);
});

test.each(["/hooks/agent", "/hooks/builds?x=1", "/./x/../hooks/wake", "/hooks"])(
  "exchanges the delivery key for OpenClaw's token at %s",
  async (path) => {
    const token = await hooksToken();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const { received } = await send(path, { ...bearer(KEY), "x-openclaw-token": "other", "idempotency-key": "e1" });
    expect(received).toMatchObject({ by: "openclaw", url: path, body: "the body" });
    expect(received.headers).toMatchObject({ authorization: `Bearer ${token}`, "idempotency-key": "e1" });
    expect(received.headersDistinct.authorization).toEqual([`Bearer ${token}`]);
    expect(JSON.stringify(received)).not.toContain(KEY);
    expect(received.headers["x-openclaw-token"]).toBeUndefined();
  },
);

test("gives OpenClaw's token to no other request", async () => {
  const token = await hooksToken();
  const others: [string, Record<string, string>][] = [
    ["/hooks/agent", {}],
    ["/hooks/agent", bearer("wrong")],
    ["/hooks/agent", bearer(KEY.slice(1))],
    ["/hooks/agent", { "x-openclaw-token": KEY }],
    ["/hooksx/agent", bearer(KEY)],
    ["/hooks/agent", { ...bearer(KEY), "x-platform-ticket": ticket }],
    // A program that found the token in OpenClaw's environment.
    ["/hooks/agent", bearer(token)],
    ["/hooks/agent", { "x-openclaw-token": token }],
    ["/hooks/agent", { "x-openclaw-token": token, "x-platform-ticket": ticket }],
  ];
  for (const [path, headers] of others) {
    const { received } = await send(path, headers);
    expect(received.by).toBe("openclaw");
    expect(JSON.stringify(received)).not.toContain(token);
  }
  // OpenClaw refuses it.
  expect((await send("/hooks/agent", bearer("wrong"))).received.headers.authorization).toBe("Bearer wrong");
});

test("passes Telegram's updates to its listener, once it listens, and refuses others", async () => {
  const delivery = { [SECRET_TOKEN]: KEY };
  expect(await send(TELEGRAM, delivery)).toMatchObject({ status: 503, received: { error: "channel_not_ready" } });
  const listener = await read<number>("/listen");
  const { status, received } = await send(TELEGRAM, delivery);
  expect(status).toBe(200);
  expect(received).toMatchObject({ by: "telegram", headersDistinct: { [SECRET_TOKEN]: ["the-secret-token"] } });
  expect(JSON.stringify(received)).not.toContain(KEY);
  for (const headers of [{}, { [SECRET_TOKEN]: "the-secret-token" }, bearer(KEY)])
    expect(await send(TELEGRAM, headers)).toMatchObject({ status: 401, received: { error: "delivery_key_wrong" } });
  // The listener's own port.
  const direct = { [SECRET_TOKEN]: "the-secret-token" };
  expect((await send(TELEGRAM, direct, "{}", { host: "127.84.71.1", port: listener })).status).toBe(404);
  // A user's request is OpenClaw's.
  expect((await send(TELEGRAM, { ...delivery, "x-platform-ticket": ticket })).received.by).toBe("openclaw");
  await read("/stop");
  expect((await send(TELEGRAM, delivery)).status).toBe(503);
});

test("passes Teams' activities to its listener, which it moves from a port of all addresses", async () => {
  const signed = bearer("the.vendors.jwt");
  expect(await send("/api/messages", signed)).toMatchObject({
    status: 503,
    received: { error: "channel_not_ready" },
  });
  const { address, port: at } = await read<{ address: string; port: number }>("/listen-as-teams");
  expect([address, at === 3978]).toEqual(["127.84.71.2", false]);
  const { status, received } = await send("/api/messages", signed);
  expect(status).toBe(200);
  expect(received).toMatchObject({ by: "msteams", headers: signed });
  expect((await send("/api/messages", signed, "{}", { host: address, port: at })).status).toBe(404);
  expect((await send("/api/messages", { ...signed, "x-platform-ticket": ticket })).received.by).toBe("openclaw");
});

const UPDATE = '{"type":"event_callback","text":"ü"}';
const SIGNERS = {
  slack: (key: string, body = UPDATE) => ({
    "x-slack-request-timestamp": "1700000000",
    "x-slack-signature": `v0=${createHmac("sha256", key).update(`v0:1700000000:${body}`).digest("hex")}`,
  }),
  line: (key: string, body = UPDATE) => ({
    "x-line-signature": createHmac("sha256", key).update(body).digest("base64"),
  }),
};

test.each([
  ["/slack/events", "TENANTRY_SLACK_SIGNING_SECRET", SIGNERS.slack],
  ["/line/webhook", "LINE_CHANNEL_SECRET", SIGNERS.line],
] as const)("passes signed events of %s with OpenClaw's own signature", async (path, variable, signed) => {
  const { [variable]: own = "" } = await read<Record<string, string>>("/environment");
  expect(own).toMatch(/^[0-9a-f]{64}$/);
  const { status, received } = await send(path, { ...signed(KEY), "x-slack-retry-num": "1" }, UPDATE);
  expect(status).toBe(200);
  expect(received).toMatchObject({ by: "openclaw", url: path, body: UPDATE });
  expect(received.headers).toMatchObject({ ...signed(own), "x-slack-retry-num": "1" });
  expect(JSON.stringify(received.headers)).not.toMatch(/tenantry/);
  // By another key, the key in OpenClaw's environment, or for another body.
  for (const headers of [
    {},
    signed("another"),
    signed(own),
    { ...signed(own), "x-tenantry-delivery-within": "guessed" },
  ])
    expect(await send(path, headers, UPDATE)).toMatchObject({ status: 401, received: { error: "delivery_key_wrong" } });
  expect((await send(path, signed(KEY), `${UPDATE} `)).status).toBe(401);
  const large = "x".repeat(1_048_577);
  expect((await send(path, signed(KEY, large), large)).status).toBe(413);
  // A user's request is OpenClaw's.
  expect((await send(path, { "x-platform-ticket": ticket }, UPDATE)).received.headers["x-platform-user"]).toBeDefined();
});

test("creates no secret for a channel that is not connected, which OpenClaw would treat as wanted", async () => {
  const print = "console.log(JSON.stringify(Object.keys(process.env)))";
  const command = ["--import", join(import.meta.dirname, "deliveries.mjs"), "-e", print];
  const { stdout } = launch(command, { DELIVERED_CHANNELS: "slack" });
  const names: string[] = stdout === null ? [] : JSON.parse(await text(stdout));
  expect(names).toContain("TENANTRY_SLACK_SIGNING_SECRET");
  expect(names).not.toContain("LINE_CHANNEL_SECRET");
});

test("derives the delivery key as the tenant's Worker does", async () => {
  expect(KEY).toBe(await deliveryKeyOf("the-gateway-token"));
});
