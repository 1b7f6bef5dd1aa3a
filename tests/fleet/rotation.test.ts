/** Each secret of a platform is replaced by one command, with traffic on it. */

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { freePort } from "@tenantry/std/free-port";
import { SignJWT } from "jose";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import * as z from "zod";
import { engineCommand } from "#automation/engine/command-line.ts";
import { ACCOUNT_ID } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { Automation } from "#local/start/automation.ts";
import { engineEnvironment } from "#local/start/project.ts";
import { ROOT as ROOT_DIRECTORY, serviceVariables, startPulumi } from "../testing/engine.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import {
  clientSettings,
  deployed,
  encryptByPassphrase,
  openPlatform,
  platformSettings,
  providersPort,
  stackOf,
} from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { startTraffic, type TrafficReport } from "../testing/traffic.ts";
import { type FleetRun, killFleets, runFleet } from "./testing/fleet-run.ts";

const ACME = "acme.tenantry.localhost";
const LAB = "lab.tenantry.localhost";
/** Of the dashboard. */
const SHOP = "shop.tenantry.localhost";
const DASH = "dash.tenantry.localhost";
const DISPATCH = "_dispatch.tenantry.localhost";
const ROOT = "root@tenantry.example";
const REST_API_KEY = "first-api-key-of-the-rest-layer";

let automation: Automation;
/** What the automation service was given. */
const serviceSecrets = z.object({ INVALIDATE_TOKEN: z.string(), LIVE_TOKEN: z.string(), DATABASE_URL: z.string() });
let service: z.infer<typeof serviceSecrets>;

let edge: Edge;
let close: () => Promise<void>;
/** Of the stacks' files. */
let root: string;
let platformFile: string;
/** Where the command that restarts the service sends what it was given. */
let restarts: ReturnType<typeof createServer>;
let endTraffic: () => Promise<TrafficReport>;

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  await setRestKeys({ apiKeys: [REST_API_KEY] });
  const outputs = await deployed(await stackOf(edge, settings()));
  service = {
    INVALIDATE_TOKEN: outputs.invalidateToken,
    LIVE_TOKEN: outputs.liveToken,
    DATABASE_URL: outputs.serviceUrl,
  };
  root = mkdtempSync(join(tmpdir(), "tenantry-rotation-"));
  mkdirSync(join(root, "tenants"));
  platformFile = join(root, "Pulumi.whole.yaml");
  writeFileSync(platformFile, `# The platform.\n${stringify({ config: settings() })}`);
  writeFileSync(
    join(root, "tenants", "Pulumi.prod-lab.yaml"),
    stringify({
      config: { "tenantry:platformStack": "whole", "tenantry:clients": clientSettings([{ slug: "lab" }]) },
    }),
  );
  const up = await fleet(["up"]);
  expect(up, up.progress).toMatchObject({ code: 0 });
  restarts = createServer((request, response) => {
    void json(request).then((body) => {
      service = serviceSecrets.parse(body);
      return restartService().then(() => response.end());
    });
  });
  await new Promise<void>((resolve) => restarts.listen(0, "127.0.0.1", resolve));
  await restartService();
  await provision("shop");
  for (const host of [LAB, ACME, SHOP]) {
    await callUntil(
      () => ask(host),
      ({ status }) => status === 200,
    );
  }
});
afterAll(async () => {
  killFleets();
  restarts?.close();
  await automation?.stop();
  await close?.();
  rmSync(root, { recursive: true, force: true });
});
afterEach(async () => {
  await endTraffic?.();
});

/** The service as `npm start` runs it, with the secrets that it has now. */
async function restartService(): Promise<void> {
  await automation?.stop();
  automation = new Automation(edge, "production", await freePort(), serviceVariables(edge));
  const { DATABASE_URL: serviceUrl, INVALIDATE_TOKEN: invalidateToken, LIVE_TOKEN: liveToken } = service;
  automation.start({ tenants: {}, dashboard: DASH, serviceUrl, invalidateToken, liveToken });
}

/** Makes a tenant by the dashboard's API. */
async function provision(slug: string): Promise<void> {
  const request = async (method: string, path: string, body: object) => {
    const headers = { ...(await loggedIn(edge, ROOT, DASH)), "content-type": "application/json" };
    const answer = await call(edge, DASH, path, { method, headers, body: JSON.stringify(body) });
    expect(answer.status, answer.body).toBeLessThan(300);
    return z.object({ id: z.string() }).parse(JSON.parse(answer.body));
  };
  const { id } = await request("POST", "/client/new", { slug, name: slug, billing_plan: "basic" });
  await request("PUT", "/client/update", { id, status: "active" });
  const instance = await request("POST", "/client/instance/create", { client_id: id });
  // Nobody can log in to it before it is deployed.
  await callUntil(
    () => asRoot(DASH, `/client/instance/${instance.id}`),
    ({ body }) => JSON.parse(body).status === "running",
  );
}

const settings = () =>
  platformSettings([{ slug: "acme", partner: "globex" }], {
    "tenantry:providerKeys": { openai: "sk-first" },
    "tenantry:restApiKey": REST_API_KEY,
  });

/** Changes which keys the REST layer accepts, as an operator does there. */
async function setRestKeys(keys: { jwtSecret: string } | { apiKeys: string[] }): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${edge.port}/local/rest/keys`, {
    method: "PUT",
    headers: { authorization: `Bearer ${edge.apiToken}`, "content-type": "application/json" },
    body: JSON.stringify(keys),
  });
  expect(response.status).toBe(200);
}

/** Status of a call of the REST layer. */
async function callsRest(token: string | undefined, apikey = REST_API_KEY): Promise<number> {
  const response = await fetch(`${edge.restUrl}/rpc/active_tenants`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, apikey, "content-type": "application/json" },
    body: "{}",
  });
  return response.status;
}

const fleet = (args: string[], input?: string): Promise<FleetRun> =>
  runFleet(
    edge,
    [...args, "--tenants", join(root, "tenants")],
    engineEnvironment(edge.directory, edge, "production", providersPort(edge)),
    input,
  );

const rotate = (secret: string, ...more: string[]) =>
  fleet(["rotate", secret, "--stack", "whole", "--pause", "0", ...more]);

/** A command that restarts the service: the test's own, which takes the secrets from then on. */
const restartCommand = () => {
  const { port } = restarts.address() as AddressInfo;
  const names = JSON.stringify(serviceSecrets.keyof().options);
  const program = `fetch("http://127.0.0.1:${port}", { method: "POST", body: JSON.stringify(Object.fromEntries(${names}.map((name) => [name, process.env[name]]))) })`;
  return ["--service", `"${process.execPath}" -e '${program}'`];
};

const asRoot = async (host: string, path: string) =>
  call(edge, host, path, { headers: await loggedIn(edge, ROOT, host) });

/** A turn of the tenant's agent, which takes the AI gateway and the provider's key. */
async function ask(host: string) {
  const headers = { ...(await loggedIn(edge, ROOT, host)), "content-type": "application/json" };
  return call(edge, host, "/api/ask", { method: "POST", headers, body: JSON.stringify({ text: "Are you there?" }) });
}

const invalidate = (token: string, slug = "acme") =>
  call(edge, DISPATCH, `/_invalidate/${slug}`, { headers: { authorization: `Bearer ${token}` } });

const push = (token: string) =>
  call(edge, DASH, "/internal/live", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      last: 1,
      events: [{ id: 1, kind: "a.b", partner_id: null, client_id: null, data: {}, at: new Date().toISOString() }],
    }),
  });

/** As {@link ask}, of a gateway that may be restarting. */
const askOnceStarted = (host: string) =>
  callUntil(
    () => ask(host),
    ({ status, body }) => status !== 503 || !body.includes("gateway_starting"),
  );

/** The process of a tenant's gateway. */
async function gatewayOf(host: string): Promise<string> {
  const { body } = await callUntil(
    () => asRoot(host, "/api/health"),
    ({ status, body }) => status === 200 && JSON.parse(body).status === "running",
  );
  return z.object({ processId: z.string() }).parse(JSON.parse(body)).processId;
}

async function startAll(turn = ask): Promise<void> {
  const rows = await sql(edge, "select id from tenantry.instances where worker_name = 'tenant-acme'");
  const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(rows);
  endTraffic = startTraffic({
    "a tenant's agent": { ask: () => turn(ACME), status: 200 },
    "an agent of another stack": { ask: () => turn(LAB), status: 200 },
    "an agent of the dashboard's tenant": { ask: () => turn(SHOP), status: 200 },
    health: {
      ask: () =>
        call(edge, ACME, "/api/health?passive=1", { headers: { authorization: `Bearer ${service.INVALIDATE_TOKEN}` } }),
      status: 200,
    },
    "the dashboard": { ask: () => asRoot(DASH, "/client"), status: 200 },
    "the dashboard's way to a tenant": { ask: () => asRoot(DASH, `/client/instance/${id}/backups`), status: 200 },
    "the dashboard's analytics": { ask: () => asRoot(DASH, "/analytics/global"), status: 200 },
    "the service's way to tenants": { ask: () => invalidate(service.INVALIDATE_TOKEN, "nobody"), status: 200 },
    "the service's way to the database": {
      ask: async () => {
        const refusal = await refusedLogin(service.DATABASE_URL);
        return { status: refusal === undefined ? 200 : 500, headers: {}, body: refusal ?? "" };
      },
      status: 200,
    },
    "the service's events": { ask: () => push(service.LIVE_TOKEN), status: 204 },
  });
}

/** The dispatch Worker asks the REST layer for a tenant that it has forgotten. */
async function expectDispatchAsksRest(): Promise<void> {
  expect((await invalidate(service.INVALIDATE_TOKEN)).status).toBe(200);
  await callUntil(
    () => ask(ACME),
    ({ status }) => status === 200,
  );
}

async function expectNoFailure(): Promise<void> {
  const { answers, failures } = await endTraffic();
  expect(failures).toEqual([]);
  expect(Math.min(...Object.values(answers))).toBeGreaterThan(0);
  console.info(JSON.stringify(answers));
}

/** Status of a query of Analytics Engine with a token. */
const queries = async (token: string | undefined) => {
  const response = await fetch(`${edge.apiUrl}/accounts/${ACCOUNT_ID}/analytics_engine/sql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: "select count() as n from tenantry",
  });
  return response.status;
};

/** Status of a model's call through the pool's AI gateway with a token. */
const asksModel = async (token: string | undefined) => {
  const response = await fetch(`${edge.aiGatewayUrl}/v1/${ACCOUNT_ID}/pool-a/compat/chat/completions`, {
    method: "POST",
    headers: {
      "cf-aig-authorization": `Bearer ${token}`,
      "content-type": "application/json",
      authorization: "Bearer sk-first",
    },
    body: JSON.stringify({ model: "openai/gpt-5-mini", messages: [{ role: "user", content: "Hello" }] }),
  });
  return response.status;
};

/** Why the database refuses a login; undefined when it does not. */
async function refusedLogin(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    await client.query("select 1");
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** URLs of the database that are in use: of the service, of stacks of tenants and of the dashboard. */
async function logins(): Promise<string[]> {
  const outputs = await (await stackOf(edge, settings())).outputs();
  const [hyperdrive] = edge.store.list("hyperdrive");
  const { user, password, host, port, database } = z
    .object({ user: z.string(), password: z.string(), host: z.string(), port: z.number(), database: z.string() })
    .parse(hyperdrive?.origin);
  return [
    String(outputs.serviceUrl?.value),
    String(outputs.databaseUrl?.value),
    `postgres://${user}:${password}@${host}:${port}/${database}`,
  ];
}

const tokens = () =>
  edge.store
    .list("api_token")
    .map(({ name }) => name)
    .toSorted();
const secretsOf = (script: string) =>
  Object.fromEntries((edge.store.get("script", script)?.bindings ?? []).map(({ name, text }) => [name, String(text)]));

test("the invalidation token: old one refused, each caller served meanwhile", async () => {
  const old = service.INVALIDATE_TOKEN;
  await startAll();
  const run = await rotate("invalidate-token", ...restartCommand());
  expect(run, run.progress).toMatchObject({ code: 0 });
  await expectNoFailure();
  expect(service.INVALIDATE_TOKEN).not.toBe(old);
  expect((await invalidate(old)).status).toBe(401);
  expect((await invalidate(service.INVALIDATE_TOKEN)).status).toBe(200);
  expect(run.progress).not.toContain(old);
  expect(run.progress).not.toContain(service.INVALIDATE_TOKEN);
  expect(readFileSync(platformFile, "utf8")).toMatch(/^# The platform\.[\s\S]*invalidateToken: \{ version: 2 \}/);
});

test("the live token, with the service restarted by hand between two commands", async () => {
  const old = service.LIVE_TOKEN;
  await startAll();
  const first = await rotate("live-token");
  expect(first, first.progress).toMatchObject({ code: 0 });
  expect(first.progress).toContain("npm run fleet -- rotate live-token --stack whole --finish");
  // Whoever runs the command again without saying that the service has the new token withdraws nothing.
  expect(await rotate("live-token")).toMatchObject({ code: 0 });
  expect((await push(old)).status).toBe(204);
  const outputs = (await stackOf(edge, settings())).outputs();
  service = { ...service, LIVE_TOKEN: String((await outputs).liveToken?.value) };
  expect(service.LIVE_TOKEN).not.toBe(old);
  const last = await rotate("live-token", "--finish");
  expect(last, last.progress).toMatchObject({ code: 0 });
  await expectNoFailure();
  expect((await push(old)).status).toBe(401);
  const again = await rotate("live-token", "--finish");
  expect(again.progress).toContain("No rotation of live-token waits for --finish");
});

test.each([
  ["the second logins", ["tenantry_dashboard_b", "tenantry_provisioner_b", "tenantry_service_b"]],
  ["the first again", ["tenantry_dashboard", "tenantry_provisioner", "tenantry_service"]],
])("the database logins: %s are used, and the others end", async (_, used) => {
  const before = await logins();
  const [left] = before;
  // Of somebody who holds on to it.
  const session = new pg.Client({ connectionString: left });
  session.on("error", () => undefined);
  await session.connect();
  await startAll();
  const run = await rotate("database-logins", ...restartCommand());
  expect(run, run.progress).toMatchObject({ code: 0 });
  await expectNoFailure();
  await expect(session.query("select 1")).rejects.toThrow();
  const now = await logins();
  expect(await Promise.all(now.map(refusedLogin))).toEqual([undefined, undefined, undefined]);
  for (const reason of await Promise.all(before.map(refusedLogin))) expect(reason).toMatch(/not permitted to log in/);
  const roles = await sql(
    edge,
    "select rolname as name from pg_roles where rolcanlogin and rolname ~ '^tenantry_' order by 1",
  );
  expect(roles).toEqual(used.map((name) => ({ name })));
  expect(service.DATABASE_URL).toBe(now[0]);
  for (const url of [...before, ...now]) expect(run.progress).not.toContain(new URL(url).password);
  // Each update of a role ends the memberships that it does not list; without these no root may do anything.
  const memberships = await sql(
    edge,
    `select pg_get_userbyid(roleid)::text as role from pg_auth_members
     where pg_get_userbyid(member) = 'tenantry_dashboard' order by 1`,
  );
  expect(memberships).toEqual([{ role: "tenantry_partner_root" }, { role: "tenantry_platform_root" }]);
});

test("the platform's API tokens: those before are gone", async () => {
  const before = secretsOf("tenantry-dashboard").ANALYTICS_TOKEN;
  await startAll();
  const run = await rotate("api-tokens");
  expect(run, run.progress).toMatchObject({ code: 0 });
  await expectNoFailure();
  const now = secretsOf("tenantry-dashboard").ANALYTICS_TOKEN;
  expect(await Promise.all([before, now].map(queries))).toEqual([403, 200]);
  expect(tokens().filter((name) => /analytics|logs/i.test(name))).toEqual([
    "AI gateway logs-b",
    "Tenantry analytics-b",
  ]);
});

test("the tenants' API tokens, in stacks of tenants too", async () => {
  const slugs = ["acme", "lab", "shop"];
  const before = slugs.map((slug) => secretsOf(`tenants/tenant-${slug}`).CF_AIG_AUTHORIZATION);
  await startAll();
  const run = await rotate("tenant-tokens");
  expect(run, run.progress).toMatchObject({ code: 0 });
  await expectNoFailure();
  const now = slugs.map((slug) => secretsOf(`tenants/tenant-${slug}`).CF_AIG_AUTHORIZATION);
  expect(await Promise.all([...before, ...now].map(asksModel))).toEqual([401, 401, 401, 200, 200, 200]);
  expect(run.progress).toContain("The automation service deployed 1 of 1 tenants of the dashboard.");
  expect(tokens().filter((name) => / of /.test(name))).toEqual([
    "AI gateway (second) of acme",
    "AI gateway (second) of lab",
    "AI gateway (second) of shop",
  ]);
  // Back to the first of the two.
  const again = await rotate("tenant-tokens");
  expect(again, again.progress).toMatchObject({ code: 0 });
  expect(tokens().filter((name) => / of /.test(name))).toEqual(slugs.map((slug) => `AI gateway of ${slug}`));
});

const TENANTS = [ACME, LAB, SHOP];
const scriptsOf = () => ["acme", "lab", "shop"].map((slug) => secretsOf(`tenants/tenant-${slug}`));

test("the ticket keys: gateways take new ones without a restart, and no user is refused", async () => {
  const before = await Promise.all(TENANTS.map(gatewayOf));
  await startAll();
  const run = await rotate("ticket-keys");
  expect(run, run.progress).toMatchObject({ code: 0 });
  for (const host of TENANTS) {
    await callUntil(
      () => asRoot(host, "/api/admin/gateway/log"),
      ({ body }) => body.includes("ticket-key.replaced"),
    );
    expect((await asRoot(host, "/")).body).toContain(`<span id="user">${ROOT}</span>`);
  }
  await expectNoFailure();
  expect(await Promise.all(TENANTS.map(gatewayOf))).toEqual(before);
  expect(scriptsOf().map(({ TICKET_KEY_VERSION }) => TICKET_KEY_VERSION)).toEqual(["2", "2", "2"]);
  expect(run.progress).toContain("accept tickets of the old one for 10 more minutes");
  expect(run.progress).toContain("The automation service deployed 1 of 1 tenants of the dashboard.");
});

test("the gateway tokens: gateways are restarted, requests wait for them, and the old tokens are refused", async () => {
  const before = await Promise.all(TENANTS.map(gatewayOf));
  const old = scriptsOf().map(({ GATEWAY_TOKEN }) => GATEWAY_TOKEN);
  await startAll(askOnceStarted);
  const run = await rotate("gateway-tokens");
  expect(run, run.progress).toMatchObject({ code: 0 });
  for (const [index, host] of TENANTS.entries()) {
    await expect.poll(() => gatewayOf(host)).not.toBe(before[index]);
    expect((await asRoot(host, "/")).body).toContain(`<span id="user">${ROOT}</span>`);
  }
  await expectNoFailure();
  const now = scriptsOf().map(({ GATEWAY_TOKEN }) => GATEWAY_TOKEN);
  for (const index of TENANTS.keys()) expect(now[index]).not.toBe(old[index]);
  // A user without administrative rights reports usage by the gateway's token alone.
  await sql(
    edge,
    `with member as (
       insert into tenantry.client_users (client_id, email, role, status, validated_at)
       select id, 'ben@acme.example', 'BASE_USER', 'validated', now() from tenantry.clients where slug = 'acme'
       returning id, client_id)
     insert into tenantry.client_user_instances (client_user_id, instance_id)
     select m.id, i.id from member m join tenantry.instances i on i.client_id = m.client_id`,
  );
  const login = () => loggedIn(edge, "ben@acme.example", ACME).catch(() => undefined);
  await expect.poll(login, { timeout: 20_000 }).toBeDefined();
  const reports = async (token: string | undefined) => {
    const headers = { ...(await login()), authorization: `Bearer ${token}`, "content-type": "application/json" };
    return (await call(edge, ACME, "/api/otel/v1/metrics", { method: "POST", headers, body: "{}" })).status;
  };
  expect([await reports(old[0]), await reports(now[0])]).toEqual([403, 200]);
  for (const token of [...old, ...now]) expect(run.progress).not.toContain(token);
});

test("the service-role key: the old one is refused after it is withdrawn at the REST layer", async () => {
  const secretOf = (text: string) => Buffer.from(text).toString("base64url");
  const { jwtSecret } = z
    .object({ jwtSecret: z.string() })
    .parse(JSON.parse(readFileSync(join(edge.directory, "secrets.json"), "utf8")));
  const next = { kty: "oct", kid: "2", k: secretOf("the-second-secret-of-the-rest-layer") };
  const old = { kty: "oct", k: secretOf(jwtSecret) };
  const accept = (keys: object[]) => setRestKeys({ jwtSecret: JSON.stringify({ keys }) });
  const before = secretsOf("tenantry-dispatch").SUPABASE_SERVICE_ROLE_KEY ?? "";
  const statuses = () => Promise.all([before, key].map((token) => callsRest(token)));
  await startAll();
  await accept([old, next]);
  const key = await new SignJWT({ role: "tenantry_dispatch" })
    .setProtectedHeader({ alg: "HS256", kid: "2" })
    .sign(Buffer.from(next.k, "base64url"));
  const run = await fleet(["rotate", "service-role-key", "--stack", "whole"], `${key}\n`);
  expect(run, run.progress).toMatchObject({ code: 0 });
  expect(run.progress).toContain("Revoke it at the REST layer");
  expect(secretsOf("tenantry-dispatch").SUPABASE_SERVICE_ROLE_KEY).toBe(key);
  expect(await statuses()).toEqual([200, 200]);
  await accept([next]);
  await expectDispatchAsksRest();
  await expectNoFailure();
  expect(await statuses()).toEqual([401, 200]);
  expect(run.progress + readFileSync(platformFile, "utf8")).not.toContain(key);
});

test("the REST API key: the old one is refused after it is withdrawn at the REST layer", async () => {
  const next = "second-api-key-of-the-rest-layer";
  const token = secretsOf("tenantry-dispatch").SUPABASE_SERVICE_ROLE_KEY;
  const statuses = () => Promise.all([REST_API_KEY, next].map((apiKey) => callsRest(token, apiKey)));
  expect(secretsOf("tenantry-dispatch").SUPABASE_API_KEY).toBe(REST_API_KEY);
  expect(await statuses()).toEqual([200, 401]);
  await startAll();
  await setRestKeys({ apiKeys: [REST_API_KEY, next] });
  const run = await fleet(["rotate", "rest-api-key", "--stack", "whole"], `${next}\n`);
  expect(run, run.progress).toMatchObject({ code: 0 });
  expect(run.progress).toContain("Revoke it at the REST layer");
  expect(secretsOf("tenantry-dispatch").SUPABASE_API_KEY).toBe(next);
  expect(await statuses()).toEqual([200, 200]);
  await setRestKeys({ apiKeys: [next] });
  await expectDispatchAsksRest();
  await expectNoFailure();
  expect(await statuses()).toEqual([401, 200]);
  expect(run.progress + readFileSync(platformFile, "utf8")).not.toContain(next);
});

test("a provider's key, which stacks of tenants have too", async () => {
  await startAll();
  const run = await fleet(
    ["rotate", "provider-key", "--provider", "openai", "--stack", "whole", "--pause", "0"],
    "sk-second\n",
  );
  expect(run, run.progress).toMatchObject({ code: 0 });
  await expectNoFailure();
  for (const slug of ["acme", "lab", "shop"])
    expect(secretsOf(`tenants/tenant-${slug}`).PROVIDER_KEYS).toBe('{"openai":"sk-second"}');
  expect(readFileSync(platformFile, "utf8")).not.toMatch(/sk-(first|second)/);
  expect(run.progress).not.toContain("sk-second");
});

test("what cannot be rotated is refused before anything changes", async () => {
  const before = readFileSync(platformFile, "utf8");
  for (const [args, sentence] of [
    [["rotate", "nothing", "--stack", "whole"], "There is no secret nothing. Choose one of database-logins, "],
    [["rotate", "live-token"], "rotate requires --stack STACK."],
    [["rotate", "live-token", "--stack", "other"], "Set --stack to the platform's stack."],
    [["rotate", "provider-key", "--stack", "whole"], "is required for provider-key"],
    [["rotate", "service-role-key", "--stack", "whole"], "Standard input is empty. Pass the new secret"],
    [["rotate", "live-token", "--stack", "whole", "--finish"], "No rotation of live-token waits for --finish"],
  ] as const) {
    const refused = await fleet([...args]);
    expect(refused, refused.progress).toMatchObject({ code: 1 });
    expect(refused.progress).toContain(sentence);
  }
  expect(readFileSync(platformFile, "utf8")).toBe(before);
});

/** Encrypts all stacks, and the secrets in their files, by the passphrase that the engine has. */
async function encryptAllByPassphrase(): Promise<void> {
  encryptByPassphrase();
  const directory = mkdtempSync(join(root, "project-"));
  writeFileSync(join(directory, "Pulumi.yaml"), stringify({ name: "tenantry", runtime: "nodejs" }));
  const variables = engineEnvironment(edge.directory, edge, "production", providersPort(edge));
  const engine = (...args: string[]) => engineCommand(args, directory, variables, { input: `${edge.passphrase}\n` });
  const stacks = z.array(z.object({ name: z.string() })).parse(JSON.parse(await engine("stack", "ls", "--json")));
  expect(stacks.map(({ name }) => name)).toEqual(["prod-lab", "production-shop", "whole"]);
  for (const { name } of stacks) {
    const file = name === "whole" ? platformFile : join(root, "tenants", `Pulumi.${name}.yaml`);
    const copy = join(directory, `Pulumi.${name}.yaml`);
    // The dashboard's tenants have no file.
    const hasFile = existsSync(file);
    if (hasFile) copyFileSync(file, copy);
    await engine("stack", "change-secrets-provider", "passphrase", "--stack", name);
    if (hasFile) copyFileSync(copy, file);
  }
}

test("the passphrase: no stack opens with the old one, and the platform is deployed with the new one", async () => {
  const next = "passphrase-of-a-test";
  await automation.stop();
  await encryptAllByPassphrase();
  await startAll();
  const run = await fleet(["rotate", "passphrase", "--stack", "whole"], `${next}\n`);
  expect(run, run.progress).toMatchObject({ code: 0 });
  await expectNoFailure();
  const withNext = { PULUMI_CONFIG_PASSPHRASE: next };
  for (const stack of ["whole", "prod-lab"]) {
    const secret = (variables: Record<string, string>) =>
      startPulumi(edge, join(ROOT_DIRECTORY, "tenants"), ["stack", "export", "--show-secrets", "-s", stack], variables)
        .ended;
    const refused = await secret({});
    expect(refused.code, refused.output).not.toBe(0);
    expect(refused.output).toContain("incorrect passphrase");
    expect(await secret(withNext)).toMatchObject({ code: 0 });
  }
  // What the file keeps encrypted was encrypted anew.
  const up = await runFleet(
    edge,
    ["rotate", "live-token", "--stack", "whole", "--pause", "0", "--tenants", join(root, "tenants")],
    {
      ...engineEnvironment(edge.directory, edge, "production", providersPort(edge)),
      ...withNext,
    },
  );
  expect(up, up.progress).toMatchObject({ code: 0 });
  expect(secretsOf("tenants/tenant-acme").PROVIDER_KEYS).toBe('{"openai":"sk-second"}');
  expect(run.progress + readFileSync(platformFile, "utf8")).not.toContain(next);
});
