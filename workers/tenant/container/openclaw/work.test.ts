/** The work endpoint in a process with an HTTP server instead of OpenClaw, which handles its RPC methods. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@tenantry/std/free-port";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gatewayWork } from "#workers/contracts/tenant/sandbox.ts";
import { TicketKey } from "../../gateway/tickets/ticket-key.ts";
import { UserTickets } from "../../gateway/tickets/user-tickets.ts";

const PROGRAM = `
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { json } from "node:stream/consumers";
const seen = [];
createServer(async (request, response) => {
  const { url, headers } = request;
  if (url === "/seen") return response.end(JSON.stringify(seen));
  if (url !== "/api/v1/admin/rpc") return response.end(JSON.stringify({ url }));
  const { method, params } = await json(request);
  seen.push({ method, params, headers });
  const payload = JSON.parse(readFileSync(process.env.ANSWERS, "utf8"))[method];
  response.end(JSON.stringify(payload ? { ok: true, payload } : { ok: false, error: { message: "starting" } }));
}).listen(Number(process.env.GATEWAY_PORT), "127.0.0.1", () => console.log("listening"));`;

const SOON = Date.parse("2030-01-01T08:00:00.000Z");
const job = (more: object) => ({ id: "x", enabled: true, state: { nextRunAtMs: SOON }, payload: {}, ...more });
const IDLE = {
  "gateway.suspend.prepare": { status: "ready", suspensionId: "s1", blockers: [] },
  "gateway.suspend.resume": { ok: true },
  "cron.status": { enabled: true },
  "cron.list": { jobs: [] },
  "channels.status": { channelAccounts: {} },
};

const LEFT_OUT = { messenger: "line", cause: "configuration_rejected", reason: "channels.line: invalid" };
const REPORTED = {
  ...{ messenger: "line", account: "default", condition: "failed" },
  ...{ cause: "configuration_rejected", error: "channels.line: invalid" },
};

let root: string;
let gateway: ChildProcess;
let port: number;
let ticket: string;
let key: JWK;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "work-test-"));
  mkdirSync(join(root, "state"));
  port = await freePort();
  const jwk = await exportJWK((await generateKeyPair("EdDSA", { extractable: true })).privateKey);
  ticket = await new UserTickets({ tenant: "acme" }).get({ email: "ada@acme.example", role: "ROOT" }, async () => jwk);
  key = jwk;
  const preloads = ["work.mjs", "identity-guard.mjs"].flatMap((name) => ["--import", join(import.meta.dirname, name)]);
  gateway = spawn(process.execPath, [...preloads, "--input-type=module", "-e", PROGRAM], {
    env: {
      GATEWAY_PORT: String(port),
      TICKET_KEY: jwk.x,
      TENANT_SLUG: "acme",
      STATE_DIR: join(root, "state"),
      DELIVERED_CHANNELS: "telegram,slack",
      LEFT_OUT_CHANNELS: JSON.stringify([LEFT_OUT]),
      ANSWERS: join(root, "answers.json"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (gateway.stdout) await once(gateway.stdout, "data");
});
afterAll(() => {
  gateway.kill();
  rmSync(root, { recursive: true, force: true });
});

const answers = (more: object): void => writeFileSync(join(root, "answers.json"), JSON.stringify({ ...IDLE, ...more }));
const ask = (path = "/workz", init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
const readWork = async () => gatewayWork.parse(await (await ask()).json());

interface Seen {
  method: string;
  params: object;
  headers: Record<string, string>;
}
const seen = async (): Promise<Seen[]> => (await (await ask("/seen")).json()) as Seen[];

test("reports what blocks a suspension, and cancels the suspension", async () => {
  answers({});
  expect(await readWork()).toEqual({ busy: false, channels: 0, connections: [REPORTED] });
  expect((await seen()).at(-1)).toMatchObject({ method: "gateway.suspend.resume", params: { suspensionId: "s1" } });
  const blockers = [
    { kind: "chat-run", count: 1, message: "1 active chat run" },
    { kind: "cron-run", count: 2 },
  ];
  answers({ "gateway.suspend.prepare": { status: "busy", blockers } });
  expect(await readWork()).toMatchObject({ busy: true, reason: "1 active chat run, cron-run", channels: 0 });
  expect((await seen()).at(-1)?.method).toBe("gateway.suspend.prepare");
});

test("reports when the tenant's next job is due, without OpenClaw's own jobs", async () => {
  const own = [
    job({ declarationKey: "heartbeat:main", payload: { kind: "heartbeat" } }),
    job({ declarationKey: "memory-core:memory-dreaming-promotion" }),
    job({ declarationKey: "skill-collection-review:main" }),
    job({ description: "[managed-by=another-plugin] Tidy up." }),
  ];
  answers({ "cron.list": { jobs: [...own, job({ enabled: false }), job({ state: {} })] } });
  expect((await readWork()).nextJobAt).toBeUndefined();
  const jobs = [...own, job({ state: { nextRunAtMs: SOON + 60_000 } }), job({ state: { nextRunAtMs: SOON + 30_000 } })];
  answers({ "cron.list": { jobs } });
  expect((await readWork()).nextJobAt).toBe("2030-01-01T08:00:30.000Z");
  answers({ "cron.list": { jobs }, "cron.status": { enabled: false } });
  expect((await readWork()).nextJobAt).toBeUndefined();
});

test("counts channel accounts that hold a connection", async () => {
  const channelAccounts = {
    telegram: [
      { accountId: "a", enabled: true, running: true, connected: true, mode: "polling" },
      { accountId: "b", enabled: true, running: true, mode: "webhook" },
      { accountId: "c", enabled: false, running: true },
    ],
    slack: [
      { accountId: "a", enabled: true, running: true, connected: false },
      { accountId: "b", enabled: true, running: false },
      { accountId: "c", running: true },
      // Delivered, without a mode.
      { accountId: "default", enabled: true, running: true, connected: true },
    ],
  };
  answers({ "channels.status": { channelAccounts } });
  const connection = (messenger: string, account: string, condition = "online") => ({ messenger, account, condition });
  expect(await readWork()).toMatchObject({
    channels: 2,
    connections: [
      REPORTED,
      connection("telegram", "a"),
      connection("slack", "a", "connecting"),
      connection("slack", "c"),
    ],
  });
});

test("counts a connection that OpenClaw is restoring, and reports one that it has given up", async () => {
  const lost = (ago: number) => ({ running: true, connected: false, lastDisconnect: { at: Date.now() - ago } });
  const channelAccounts = {
    irc: [{ accountId: "default", running: false, restartPending: true, lastError: "connect ECONNREFUSED" }],
    matrix: [{ accountId: "default", ...lost(60_000) }],
    discord: [{ accountId: "default", ...lost(3_600_000) }],
    signal: [
      { accountId: "default", running: false, lastError: "x".repeat(1_000) },
      { accountId: "unused", running: false },
    ],
  };
  answers({ "channels.status": { channelAccounts } });
  const { channels, connections } = await readWork();
  expect(channels).toBe(2);
  expect(connections?.slice(1)).toEqual([
    { messenger: "irc", account: "default", condition: "connecting", error: "connect ECONNREFUSED" },
    { messenger: "matrix", account: "default", condition: "connecting" },
    { messenger: "discord", account: "default", condition: "connecting" },
    { messenger: "signal", account: "default", condition: "failed", error: "x".repeat(200) },
  ]);
});

test("calls RPC methods as an administrator, and blocks other callers", async () => {
  answers({});
  await readWork();
  const headers = (await seen()).at(-1)?.headers;
  expect(headers).toMatchObject({ "x-platform-role": "ROOT", "x-openclaw-scopes": expect.stringContaining("admin") });
  expect(headers?.["x-tenantry-within"]).toBeUndefined();
  const before = (await seen()).length;
  for (const given of [{}, { "x-tenantry-within": "guessed" }, { "x-platform-ticket": ticket }])
    expect((await ask("/api/v1/admin/rpc", { method: "POST", headers: given, body: "{}" })).status).toBe(404);
  expect((await seen()).length).toBe(before);
});

test("passes users' requests to OpenClaw", async () => {
  expect(await (await ask("/workz", { headers: { "x-platform-ticket": ticket } })).json()).toEqual({ url: "/workz" });
});

test("reports nothing when OpenClaw rejects the call, and the script fails", async () => {
  const script = () =>
    new Promise<{ code: number | null; stdout: string }>((resolve) => {
      const path = join(import.meta.dirname, "../work.mjs");
      const child = execFile(process.execPath, [path], { env: { GATEWAY_PORT: String(port) } }, (_error, stdout) =>
        resolve({ code: child.exitCode, stdout }),
      );
    });
  answers({});
  expect(await script()).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ busy: false, channels: 0, connections: [REPORTED] })}\n`,
  });
  answers({ "gateway.suspend.prepare": undefined });
  expect((await ask()).status).toBe(503);
  expect(await script()).toEqual({ code: 69, stdout: "" });
});

/** The key of the Worker, over a storage that has it. */
const signer = () =>
  new TicketKey({
    storage: { get: async <T>() => key as T, put: async () => {}, delete: async () => true },
    tenant: "acme",
    token: "unused",
  });
const orderDevices = async (body: string, headers = {}) => {
  const response = await ask("/device-order", { method: "POST", headers, body });
  return { status: response.status, body: await response.json() };
};
const DEVICE = {
  deviceId: "d1",
  publicKey: "key",
  displayName: "Laptop",
  role: "node",
  tokens: { node: { token: "t" } },
};
const LISTED = { deviceId: "d1", name: "Laptop", roles: ["node"], scopes: [] };
const DEVICES = {
  "device.pair.list": {
    pending: [{ ...DEVICE, requestId: "r1", ts: SOON }],
    paired: [{ ...DEVICE, createdAtMs: SOON - 1, approvedAtMs: SOON, lastSeenAtMs: SOON, connected: true }],
  },
  "device.pair.approve": { device: DEVICE },
  "device.pair.remove": DEVICE,
};

test("lists devices without tokens and keys, and changes one, by the Worker's orders", async () => {
  answers(DEVICES);
  const list = await orderDevices(await signer().sign({ devices: { call: "list" } }));
  const pending = [{ requestId: "r1", ...LISTED, at: SOON }];
  const paired = [{ ...LISTED, at: SOON, pairedAt: SOON - 1, seenAt: SOON, connected: true }];
  expect(list).toEqual({ status: 200, body: { pending, paired } });
  const change = async (call: string, id: string) => orderDevices(await signer().sign({ devices: { call, id } }));
  expect(await change("approve", "r1")).toEqual({ status: 200, body: { device: pending[0] } });
  expect((await seen()).at(-1)).toMatchObject({ method: "device.pair.approve", params: { requestId: "r1" } });
  expect(await change("remove", "d1")).toMatchObject({ status: 200, body: { device: { deviceId: "d1" } } });
  // OpenClaw rejects it, has no such device, or has no such method.
  expect(await change("reject", "r1")).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining("starting") },
  });
  for (const [call, id] of [
    ["approve", "d1"],
    ["remove", "r1"],
    ["rotate", "d1"],
    ["constructor", "d1"],
  ] as const)
    expect(await change(call, id)).toEqual({ status: 404, body: { unknown: true } });
});

test("states which devices are browsers that OpenClaw paired since their user had logged in", async () => {
  const device = (deviceId: string, clientId: string, approvedVia: string) => ({ deviceId, clientId, approvedVia });
  const browser = "openclaw-control-ui";
  answers({
    "device.pair.list": {
      paired: [
        device("login", browser, "trusted-proxy"),
        device("approved", browser, "owner"),
        device("app", "openclaw-macos", "trusted-proxy"),
      ],
    },
  });
  const { body } = await orderDevices(await signer().sign({ devices: { call: "list" } }));
  expect(body).toMatchObject({
    paired: [{ byLogin: true }, expect.not.objectContaining({ byLogin: true }), { client: "openclaw-macos" }],
  });
  expect(JSON.stringify(body).match(/byLogin/g)).toHaveLength(1);
});

test("accepts an order for devices once, and from the Worker only", async () => {
  answers(DEVICES);
  const approve = { devices: { call: "approve", id: "r1" } };
  const order = await signer().sign(approve);
  expect(await orderDevices(order)).toMatchObject({ status: 200 });
  const before = (await seen()).length;
  const made = async (claims: object, jwk = key) =>
    new SignJWT({ ...approve, aud: "acme", jti: "j", exp: Date.now() / 1000 + 60, ...claims })
      .setProtectedHeader({ alg: "EdDSA" })
      .sign(await importJWK(jwk, "EdDSA"));
  const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  const [header, , signature] = order.split(".");
  const changed = Buffer.from(JSON.stringify({ ...approve, aud: "acme", jti: "k", exp: 9e9 })).toString("base64url");
  for (const body of [
    order,
    ticket,
    "",
    `${header}.${changed}.${signature}`,
    await made({}, await exportJWK(privateKey)),
    await made({ aud: "globex" }),
    await made({ exp: Date.now() / 1000 - 1 }),
    await made({ sub: "ada@acme.example" }),
    await made({ jti: undefined }),
  ])
    expect((await orderDevices(body)).status).toBe(403);
  expect((await seen()).length).toBe(before);
  // A user's request is OpenClaw's.
  const ofUser = await orderDevices(await signer().sign(approve), { "x-platform-ticket": ticket });
  expect(ofUser.body).toEqual({ url: "/device-order" });
});
