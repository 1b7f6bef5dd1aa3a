/** OpenClaw's own programs and OpenAI's client at a tenant, through Access with a service token: unmodified, and as child processes. */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Automation } from "#local/start/automation.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { sql } from "../testing/sql.ts";
import { startAutomation } from "./testing/automation-of.ts";
import { ClientMachine, openTls, type Running, type ServiceToken, type TlsFront } from "./testing/client-machine.ts";
import { callDashboard, clientId, instanceId, restarting } from "./testing/dashboard.ts";
import { ACME, ADA, BEN, LiveTenant } from "./testing/live-tenant.ts";
import { PATIENCE_MS, picture } from "./testing/page.ts";

const PROGRAM = process.env.TENANTRY_OPENCLAW;
const OPENAI_SCRIPT = join(import.meta.dirname, "testing/openai-client.mjs");
const MOCK = "This is a mock of openai";
/** Headers that a person may try. Dispatch and the gateway's guard remove them. */
const FORGED = {
  "X-Platform-User": ADA,
  "X-Platform-Role": "ADMIN",
  "X-OpenClaw-Scopes": "operator.admin",
  "Cf-Access-Authenticated-User-Email": ADA,
};

let directory: string;
let tenant: LiveTenant;
let automation: Automation;
let tls: TlsFront;
let client: string;
/** Of an administrator. */
let ada: ClientMachine;
/** A second machine of hers, for a node host. */
let node: ClientMachine;
/** Of a user without administrative rights, who forges headers. */
let ben: ClientMachine;
const machines: ClientMachine[] = [];
let page: Page;
const connected: Running[] = [];

async function asRoot(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await callDashboard(tenant, method, path, body);
  expect(answer.status, answer.body).toBeLessThan(300);
  return answer.body === "" ? undefined : JSON.parse(answer.body);
}

/** Creates a service token, and waits until Access admits it. */
async function createToken(email: string, role: string): Promise<ServiceToken> {
  const users = z.object({ data: z.array(z.object({ id: z.string(), email: z.string() })) });
  const { data } = users.parse(await asRoot("GET", `/api/clients/${client}/users`));
  const user = data.find((each) => each.email === email);
  const wanted = { client_user_id: user?.id, name: "Laptop", role, days: 1 };
  const created = z
    .object({ id: z.string(), access_client_id: z.string(), client_secret: z.string() })
    .parse(await asRoot("POST", `/api/clients/${client}/tokens`, wanted));
  const headers = { "cf-access-client-id": created.access_client_id, "cf-access-client-secret": created.client_secret };
  await callUntil(
    () => call(tenant.edge, ACME, "/", { headers }),
    ({ status }) => status === 200,
  );
  return created;
}

function openMachine(home: string, options: ConstructorParameters<typeof ClientMachine>[1]): ClientMachine {
  const machine = new ClientMachine(join(directory, home), options);
  machines.push(machine);
  return machine;
}

/** Approves the only pending device in the control UI. */
async function approve(name: string): Promise<void> {
  const pending = page.getByText("Pending approval", { exact: true });
  await page.getByText(name).first().waitFor({ timeout: PATIENCE_MS });
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await pending.waitFor({ state: "hidden", timeout: PATIENCE_MS });
}

/** Calls a method of the gateway by the CLI. @returns its response or error */
const gatewayCall = (machine: ClientMachine, method: string, parameters: object = {}): Promise<unknown> =>
  machine.runForJson("gateway", "call", method, "--params", JSON.stringify(parameters));

const device = z.object({ id: z.string(), name: z.string().nullable(), client: z.string().nullable() });
const deviceList = z.object({
  pending: z.array(device.extend({ request_id: z.string() })),
  paired: z.array(device.extend({ is_connected: z.boolean(), roles: z.array(z.string()) })),
});
const devicesPath = async () => `/client/instance/${await instanceId(tenant)}/devices`;

async function readDevices(): Promise<z.infer<typeof deviceList>> {
  const listed = await asRoot("GET", await devicesPath());
  expect(JSON.stringify(listed)).not.toMatch(/token|publicKey/i);
  return deviceList.parse(listed);
}

/** Its name for OpenClaw, which pairs it without approval. */
const BROWSER = "openclaw-control-ui";
const JOINED = { device: "Joined machine", waits: false };
const PAIRED = { device: "Paired machine", waits: false };

/** Waits until these are the notifications of such devices and of browsers. The automation service writes them once a minute. */
async function notified(devices: object[]): Promise<void> {
  const names = [JOINED.device, PAIRED.device, "By API", BROWSER];
  const query = `select data from tenantry.notifications where kind = 'new_device' and data ->> 'device' = any($1) order by data ->> 'at'`;
  const of = async () => (await sql(tenant.edge, query, [names])) as { data: object }[];
  const expected = devices.map((data) => ({ data: expect.objectContaining(data) }));
  await expect.poll(of, { timeout: 2 * PATIENCE_MS }).toEqual(expected);
}

/** Runs OpenAI's client. @returns its results by name */
async function openai(machine: ClientMachine, headers: object = {}): Promise<Record<string, unknown>> {
  const path = createRequire(PROGRAM ?? "").resolve("openai");
  const output = await machine.runScript(OPENAI_SCRIPT, {
    OPENAI_CLIENT: pathToFileURL(path).href,
    BASE_URL: `https://${tls.address}/v1`,
    HEADERS: JSON.stringify(headers),
  });
  const line = z.object({ name: z.string(), result: z.unknown() });
  const results = output.trim().split("\n");
  return Object.fromEntries(
    results.map((text) => line.parse(JSON.parse(text))).map((each) => [each.name, each.result]),
  );
}

/** Of the mock model, to each request of {@link openai}. */
const ANSWERS = {
  models: expect.arrayContaining(["openclaw/default"]),
  chat: { text: expect.stringContaining(MOCK), chunks: expect.toSatisfy((count: number) => count > 2) },
  response: expect.stringContaining(MOCK),
};
const withSession = (key: string) => ({ "X-OpenClaw-Session-Key": key });

const missing = (scope: string) => ({ error: { message: `missing scope: ${scope}` } });

describe.skipIf(PROGRAM === undefined)("OpenClaw", () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "openclaw-clients-"));
    const program = PROGRAM ?? "";
    tenant = await LiveTenant.open(program, directory);
    automation = await startAutomation(tenant);
    tls = await openTls(directory, ACME, tenant.edge.port);
    client = await clientId(tenant);
    const ofAda = { tls, program, token: await createToken(ADA, "ADMIN") };
    ada = openMachine("ada", ofAda);
    node = openMachine("node", ofAda);
    const token = await createToken(BEN, "BASE_USER");
    ben = openMachine("ben", { tls, program, token, headers: FORGED });
    ({ page } = await tenant.enter(ADA));
    await page.goto(`${new URL(page.url()).origin}/settings/devices`);
  }, 300_000);
  afterAll(async () => {
    await Promise.all(machines.map((machine) => machine.close()));
    tls?.close();
    await automation?.stop();
    await tenant?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("answers the command line of an administrator without a paired device", async () => {
    // OpenClaw learns of administrators when it starts.
    await restarting(tenant, async () => {
      const headers = await loggedIn(tenant.edge, ADA, ACME);
      return call(tenant.edge, ACME, "/api/admin/gateway/restart", { method: "POST", headers });
    });
    expect(await gatewayCall(ada, "status")).toMatchObject({ heartbeat: { defaultAgentId: "main" } });
    expect(await gatewayCall(ada, "config.get")).toMatchObject({ exists: true });
  });

  test("pairs the terminal, whose device an administrator approves in the control UI, and shows the agent's reply", async () => {
    const first = ada.startInTerminal("tui");
    await first.says(/device pairing required/);
    await approve("openclaw-tui");
    await first.stop();
    const terminal = ada.startInTerminal("tui", "--message", "Remember the word papaya.");
    await terminal.says(new RegExp(MOCK));
    await tenant.remembers(ADA, "papaya");
    connected.push(terminal);
    expect(await ada.run("agent", "--agent", "main", "--message", "Hello")).toContain(MOCK);
  });

  test("pairs a node host in the control UI, approves its commands, and runs one", async () => {
    const [host = "", port = ""] = tls.address.split(":");
    const command = ["node", "run", "--host", host, "--port", port, "--tls", "--display-name", "Build machine"];
    const first = node.start(...command);
    await first.says(/device pairing required/);
    await approve("Build machine");
    await first.stop();
    const running = node.start(...command);
    await running.says(/gateway connected/);
    const pending = () => ada.runForJson("nodes", "pending");
    const requests = z.array(z.object({ requestId: z.string() })).length(1);
    await expect.poll(pending, { timeout: PATIENCE_MS }).toSatisfy((found) => requests.safeParse(found).success);
    const [request] = requests.parse(await pending());
    const approved = await ada.runForJson("nodes", "approve", request?.requestId ?? "");
    expect(approved).toMatchObject({ node: { displayName: "Build machine" } });
    const which = ["--command", "system.which", "--params", '{"bins":["sh"]}'];
    const invoke = () => ada.runForJson("nodes", "invoke", "--node", "Build machine", ...which);
    const found = { payload: { bins: { sh: expect.stringMatching(/^\/.*sh$/) } } };
    await expect.poll(invoke, { timeout: PATIENCE_MS }).toMatchObject(found);
    connected.push(running);
  });

  test("pairs a node host by a join link, through Access too", async () => {
    // New devices are reported from the first list on.
    await readDevices();
    const setup = { publicUrl: `https://${tls.address}`, joinUrl: true, includeQr: false };
    const { joinUrl } = z.object({ joinUrl: z.string() }).parse(await gatewayCall(ada, "device.pair.setupCode", setup));
    const { status } = await call(tenant.edge, ACME, new URL(joinUrl).pathname);
    expect(status).toBe(302);
    const other = openMachine("joined", { tls, program: PROGRAM ?? "", token: ada.token });
    const running = other.start("connect", joinUrl, "--display-name", "Joined machine");
    await running.says(/gateway connected/);
    expect(await ada.runForJson("nodes", "status")).toMatchObject({
      nodes: expect.arrayContaining([
        expect.objectContaining({ displayName: "Joined machine", approvalState: "approved", connected: true }),
      ]),
    });
    connected.push(running);
  });

  test("pairs a node host by a setup code", async () => {
    const setup = { publicUrl: `wss://${tls.address}`, bootstrapProfile: "node", includeQr: false };
    const { setupCode } = z
      .object({ setupCode: z.string() })
      .parse(await gatewayCall(ada, "device.pair.setupCode", setup));
    const other = openMachine("paired", { tls, program: PROGRAM ?? "", token: ada.token });
    const running = other.start("node", "run", "--pair", setupCode, "--display-name", "Paired machine");
    await running.says(/gateway connected/);
    connected.push(running);
  });

  test("lists, approves, rejects and removes a device by the API, and no other program of the container can", async () => {
    const path = await devicesPath();
    const read = readDevices;
    const named = <T extends { name: string | null }>(devices: T[]) => devices.find(({ name }) => name === "By API");
    const machine = openMachine("by-api", { tls, program: PROGRAM ?? "", token: ada.token });
    const [host = "", port = ""] = tls.address.split(":");
    const command = ["node", "run", "--host", host, "--port", port, "--tls", "--display-name", "By API"];
    const ask = async () => {
      const running = machine.start(...command);
      await running.says(/device pairing required/);
      await running.stop();
      return named((await read()).pending)?.request_id ?? "";
    };
    const browsers = async () => (await read()).paired.filter(({ client }) => client === BROWSER);
    const before = await browsers();
    const { context } = await tenant.enter(BEN);
    expect((await browsers()).length).toBe(before.length + 1);
    await context.close();
    const rejected = await ask();
    const asks = { device: "By API", waits: true };
    await notified([JOINED, PAIRED, asks]);
    expect(await asRoot("POST", `${path}/requests/${rejected}/reject`)).toMatchObject({ name: "By API" });
    expect(named((await read()).pending)).toBeUndefined();
    const repeated = await callDashboard(tenant, "POST", `${path}/requests/${rejected}/approve`);
    expect(repeated).toMatchObject({ status: 409, body: expect.stringContaining("rejected") });

    const request = await ask();
    const headers = { "x-platform-user": ADA, "x-platform-role": "ROOT", "x-tenantry-within": "guessed" };
    for (const body of ["", "a.b.c", JSON.stringify({ call: "approve", id: request })])
      expect((await fetch(`${await tenant.ownUrl()}/device-order`, { method: "POST", headers, body })).status).toBe(
        403,
      );
    expect(named((await read()).paired)).toBeUndefined();

    await asRoot("POST", `${path}/requests/${request}/approve`);
    const running = machine.start(...command);
    await running.says(/gateway connected/);
    const paired = named((await read()).paired);
    expect(paired).toMatchObject({ is_connected: true, roles: ["node"] });
    await asRoot("DELETE", `${path}/${paired?.id}`);
    await running.says(/gateway (?:disconnected: |closed \(\d+\))/);
    expect(named((await read()).paired)).toBeUndefined();
    await running.stop();
    // Its token is invalid.
    const again = await ask();
    await notified([JOINED, PAIRED, asks, asks]);
    await asRoot("POST", `${path}/requests/${again}/reject`);
  });

  test("serves OpenAI's client, and limits a user to their own sessions and rights", async () => {
    expect(await openai(ada)).toEqual(ANSWERS);
    const { models, chat } = ANSWERS;
    const refused = expect.objectContaining({ status: 403 });
    // OpenClaw records no creator of a session that begins here, so its next request finds it hidden.
    expect(await openai(ben, withSession("agent:main:by-http"))).toEqual({ models, chat, response: refused });
    expect(await openai(ben, { ...FORGED, ...withSession("agent:main:main") })).toEqual({
      models,
      chat: refused,
      response: refused,
    });
  });

  test("gives a user's command line no more than their role, also from a device with all rights", async () => {
    expect(await gatewayCall(ben, "sessions.list")).toMatchObject(missing("operator.read"));
    const greet = ["agent", "--agent", "main", "--session-key", "agent:main:bens", "--message", "Hello"];
    expect(await ben.run(...greet)).toContain("device pairing required");
    await approve("cli");
    expect(await ben.run(...greet)).toContain(MOCK);
    expect(await openai(ben, withSession("agent:main:bens"))).toEqual(ANSWERS);
    expect(JSON.stringify(await gatewayCall(ben, "sessions.list"))).not.toContain("papaya");
    const change = () => gatewayCall(ben, "config.patch", { raw: "{}", baseHash: "0" });
    expect(await change()).toMatchObject({
      error: { message: expect.stringContaining("scope upgrade pending approval") },
    });
    await approve("cli");
    expect(await change()).toMatchObject(missing("operator.admin"));
    await picture(page, "devices");
  });

  test("closes the connections of a revoked token, and refuses later attempts", async () => {
    await asRoot("DELETE", `/api/clients/${client}/tokens/${ada.token.id}`);
    expect(connected.length).toBeGreaterThan(0);
    for (const program of connected) await program.says(/gateway (?:disconnected: |closed \(\d+\))/);
    const refused = { error: { message: expect.stringMatching(/websocket upgrade \(HTTP (?:302|403)\)/) } };
    expect(await gatewayCall(ada, "status")).toMatchObject(refused);
    expect(await gatewayCall(ben, "status")).toMatchObject({ heartbeat: {} });
    const failed = { message: expect.any(String) };
    expect(await openai(ada)).toMatchObject({ models: failed, chat: failed, response: failed });
  });
});
