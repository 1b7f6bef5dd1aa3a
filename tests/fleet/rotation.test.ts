import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { openSecrets, SealedWithOtherKey } from "#workers/shared/doors/door-secrets.ts";
import { ROOT, startPulumi } from "../testing/engine.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { ACME, REST_API_KEY, ROOT_USER, RotationPlatform, settings, TENANTS } from "./testing/rotation-platform.ts";
import { analyticsStatus, modelStatus, refusedLogin, setRestKeys } from "./testing/secret-checks.ts";

let platform: RotationPlatform;
beforeAll(async () => {
  platform = await RotationPlatform.open();
});
afterAll(() => platform?.close());
afterEach(() => platform.stopTraffic());

/** Returns the status of a request to the REST layer. */
async function restStatus(token: string | undefined, apikey = REST_API_KEY): Promise<number> {
  const response = await fetch(`${platform.edge.restUrl}/rpc/active_tenants`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, apikey, "content-type": "application/json" },
    body: "{}",
  });
  return response.status;
}

/**
 * Clears the dispatch Worker's cache of a tenant, so that it reads the REST layer. No traffic may run: the invalidation refuses requests in
 * progress that cannot be repeated.
 */
async function expectDispatchReadsRest(): Promise<void> {
  expect((await platform.invalidate(platform.service.INVALIDATE_TOKEN)).status).toBe(200);
  await callUntil(
    () => platform.ask(ACME),
    ({ status }) => status === 200,
  );
}

/** Returns the database URLs of the service, of stacks of tenants and of the dashboard. */
async function logins(): Promise<string[]> {
  const outputs = await (await stackOf(platform.edge, settings())).outputs();
  const [hyperdrive] = platform.edge.store.list("hyperdrive");
  const { user, password, host, port, database } = z
    .object({ user: z.string(), password: z.string(), host: z.string(), port: z.number(), database: z.string() })
    .parse(hyperdrive?.origin);
  return [
    String(outputs.serviceUrl?.value),
    String(outputs.databaseUrl?.value),
    `postgres://${user}:${password}@${host}:${port}/${database}`,
  ];
}

test("the invalidation token: serves every caller meanwhile, then refuses the old one", async () => {
  const old = platform.service.INVALIDATE_TOKEN;
  const run = await platform.rotateUnderTraffic("invalidate-token", ["--pause", "0", ...platform.restartCommand()]);
  expect(platform.service.INVALIDATE_TOKEN).not.toBe(old);
  expect((await platform.invalidate(old)).status).toBe(401);
  expect((await platform.invalidate(platform.service.INVALIDATE_TOKEN)).status).toBe(200);
  expect(run.progress).not.toContain(old);
  expect(run.progress).not.toContain(platform.service.INVALIDATE_TOKEN);
  expect(readFileSync(platform.platformFile, "utf8")).toMatch(
    /^# The platform\.[\s\S]*invalidateToken: \{ version: 2 \}/,
  );
});

test("the live token, with a manual restart of the service between two commands", async () => {
  const old = platform.service.LIVE_TOKEN;
  await platform.startTraffic();
  const first = await platform.rotate("live-token");
  expect(first, first.progress).toMatchObject({ code: 0 });
  expect(first.progress).toContain("npm run fleet -- rotate live-token --stack whole --finish");
  // Without --finish the old token remains valid.
  expect(await platform.rotate("live-token")).toMatchObject({ code: 0 });
  expect((await platform.push(old)).status).toBe(204);
  const outputs = (await stackOf(platform.edge, settings())).outputs();
  platform.service = { ...platform.service, LIVE_TOKEN: String((await outputs).liveToken?.value) };
  expect(platform.service.LIVE_TOKEN).not.toBe(old);
  const last = await platform.rotate("live-token", "--finish");
  expect(last, last.progress).toMatchObject({ code: 0 });
  await platform.expectNoFailures();
  expect((await platform.push(old)).status).toBe(401);
  const again = await platform.rotate("live-token", "--finish");
  expect(again.progress).toContain("No rotation of live-token waits for --finish");
});

test.each([
  ["the second logins", ["tenantry_dashboard_b", "tenantry_provisioner_b", "tenantry_service_b"]],
  ["the first again", ["tenantry_dashboard", "tenantry_provisioner", "tenantry_service"]],
])("the database logins: %s are used, and the others are disabled", async (_, used) => {
  const before = await logins();
  const [left] = before;
  // An open session with the old login.
  const session = new pg.Client({ connectionString: left });
  session.on("error", () => undefined);
  await session.connect();
  const run = await platform.rotateUnderTraffic("database-logins", ["--pause", "0", ...platform.restartCommand()]);
  await expect(session.query("select 1")).rejects.toThrow();
  const now = await logins();
  expect(await Promise.all(now.map(refusedLogin))).toEqual([undefined, undefined, undefined]);
  for (const reason of await Promise.all(before.map(refusedLogin))) expect(reason).toMatch(/not permitted to log in/);
  const roles = await sql(
    platform.edge,
    "select rolname as name from pg_roles where rolcanlogin and rolname ~ '^tenantry_' order by 1",
  );
  expect(roles).toEqual(used.map((name) => ({ name })));
  expect(platform.service.DATABASE_URL).toBe(now[0]);
  for (const url of [...before, ...now]) expect(run.progress).not.toContain(new URL(url).password);
  // An update of a role ends memberships that it does not list; requests of people depend on these.
  const memberships = await sql(
    platform.edge,
    `select pg_get_userbyid(roleid)::text as role from pg_auth_members
     where pg_get_userbyid(member) = 'tenantry_dashboard' order by 1`,
  );
  const people = ["client_admin", "client_user", "partner_root", "platform_root"];
  expect(memberships).toEqual(people.map((kind) => ({ role: `tenantry_${kind}` })));
});

test("the doors' key: encrypts secrets with the new key, and the former one opens none", async () => {
  const keys = () => ["tenantry-dispatch", "tenantry-dashboard"].map((script) => platform.secretsOf(script));
  const before = keys().map(({ DOORS_KEY }) => DOORS_KEY);
  const door = await platform.createDoor("hook");
  const sealed = async () => {
    const rows = await sql(platform.edge, "select encode(secrets, 'base64') as secrets from tenantry.doors");
    const [{ secrets }] = z.tuple([z.object({ secrets: z.string() })]).parse(rows);
    return Buffer.from(secrets, "base64");
  };
  expect(await openSecrets({ used: String(before[0]) }, door.id, await sealed())).toEqual(door.generated);
  const run = await platform.rotateUnderTraffic("doors-key", ["--pause", "0"]);
  expect(run.progress).toContain(
    "The secrets of 1 doors, 0 channels, 0 provider keys, 0 egress secrets and 0 webhooks are encrypted with the new key.",
  );
  const [now, same] = keys().map(({ DOORS_KEY }) => DOORS_KEY);
  expect([same, before.includes(String(now))]).toEqual([now, false]);
  expect(keys().map(({ OTHER_DOORS_KEY }) => OTHER_DOORS_KEY)).toEqual([undefined, undefined]);
  expect(await openSecrets({ used: String(now) }, door.id, await sealed())).toEqual(door.generated);
  await expect(openSecrets({ used: String(before[0]) }, door.id, await sealed())).rejects.toThrow(SealedWithOtherKey);
  for (const key of [...before, now, door.generated.token]) expect(run.progress).not.toContain(key);
});

test("the platform's API tokens: deletes the old ones", async () => {
  const before = platform.secretsOf("tenantry-dashboard").ANALYTICS_TOKEN;
  await platform.rotateUnderTraffic("api-tokens", ["--pause", "0"]);
  const now = platform.secretsOf("tenantry-dashboard").ANALYTICS_TOKEN;
  expect(await Promise.all([before, now].map((token) => analyticsStatus(platform.edge, token)))).toEqual([403, 200]);
  expect(platform.tokens(/analytics|logs|service/i)).toEqual([
    "AI gateway logs-b",
    "Tenantry analytics-b",
    "Tenantry service tokens-b",
  ]);
});

test("the tenants' API tokens, also in stacks of tenants", async () => {
  const before = platform.tenantSecrets().map(({ CF_AIG_AUTHORIZATION }) => CF_AIG_AUTHORIZATION);
  const run = await platform.rotateUnderTraffic("tenant-tokens", ["--pause", "0"]);
  const now = platform.tenantSecrets().map(({ CF_AIG_AUTHORIZATION }) => CF_AIG_AUTHORIZATION);
  expect(await Promise.all([...before, ...now].map((token) => modelStatus(platform.edge, token)))).toEqual([
    401, 401, 401, 200, 200, 200,
  ]);
  expect(run.progress).toContain("The automation service deployed 1 of 1 tenants of the dashboard.");
  expect(platform.tokens(/ of /)).toEqual([
    "AI gateway (second) of acme",
    "AI gateway (second) of lab",
    "AI gateway (second) of shop",
  ]);
});

test("the ticket keys: gateways accept new ones without a restart, and refuse no user", async () => {
  const before = await Promise.all(TENANTS.map((host) => platform.gatewayOf(host)));
  await platform.startTraffic();
  const run = await platform.rotate("ticket-keys");
  expect(run, run.progress).toMatchObject({ code: 0 });
  for (const host of TENANTS) {
    await callUntil(
      () => platform.asRoot(host, "/api/admin/gateway/log"),
      ({ body }) => body.includes("ticket-key.replaced"),
    );
    expect((await platform.asRoot(host, "/")).body).toContain(`<span id="user">${ROOT_USER}</span>`);
  }
  await platform.expectNoFailures();
  expect(await Promise.all(TENANTS.map((host) => platform.gatewayOf(host)))).toEqual(before);
  expect(platform.tenantSecrets().map(({ TICKET_KEY_VERSION }) => TICKET_KEY_VERSION)).toEqual(["2", "2", "2"]);
  expect(run.progress).toContain("accept tickets of the old one for 10 more minutes");
  expect(run.progress).toContain("The automation service deployed 1 of 1 tenants of the dashboard.");
});

test("the gateway tokens: restarts gateways while requests wait, and refuses the old tokens", async () => {
  const before = await Promise.all(TENANTS.map((host) => platform.gatewayOf(host)));
  const old = platform.tenantSecrets().map(({ GATEWAY_TOKEN }) => GATEWAY_TOKEN);
  await platform.startTraffic((host) => platform.askOnceStarted(host));
  const run = await platform.rotate("gateway-tokens");
  expect(run, run.progress).toMatchObject({ code: 0 });
  for (const [index, host] of TENANTS.entries()) {
    await expect.poll(() => platform.gatewayOf(host)).not.toBe(before[index]);
    expect((await platform.asRoot(host, "/")).body).toContain(`<span id="user">${ROOT_USER}</span>`);
  }
  await platform.expectNoFailures();
  const now = platform.tenantSecrets().map(({ GATEWAY_TOKEN }) => GATEWAY_TOKEN);
  for (const index of TENANTS.keys()) expect(now[index]).not.toBe(old[index]);
  // A user without administrative rights can report usage with the gateway's token only.
  await sql(
    platform.edge,
    `with member as (
       insert into tenantry.client_users (client_id, email, role, status, validated_at)
       select id, 'ben@acme.example', 'BASE_USER', 'validated', now() from tenantry.clients where slug = 'acme'
       returning id, client_id)
     insert into tenantry.client_user_instances (client_user_id, instance_id)
     select m.id, i.id from member m join tenantry.instances i on i.client_id = m.client_id`,
  );
  const login = () => loggedIn(platform.edge, "ben@acme.example", ACME).catch(() => undefined);
  await expect.poll(login, { timeout: 20_000 }).toBeDefined();
  const reports = async (token: string | undefined) => {
    const headers = { ...(await login()), authorization: `Bearer ${token}`, "content-type": "application/json" };
    return (await call(platform.edge, ACME, "/api/otel/v1/metrics", { method: "POST", headers, body: "{}" })).status;
  };
  expect([await reports(old[0]), await reports(now[0])]).toEqual([403, 200]);
  for (const token of [...old, ...now]) expect(run.progress).not.toContain(token);
});

test("the service-role key: refuses the old one after it is withdrawn at the REST layer", async () => {
  const secretOf = (text: string) => Buffer.from(text).toString("base64url");
  const { jwtSecret } = z
    .object({ jwtSecret: z.string() })
    .parse(JSON.parse(readFileSync(join(platform.edge.directory, "secrets.json"), "utf8")));
  const next = { kty: "oct", kid: "2", k: secretOf("the-second-secret-of-the-rest-layer") };
  const old = { kty: "oct", k: secretOf(jwtSecret) };
  const accept = (keys: object[]) => setRestKeys(platform.edge, { jwtSecret: JSON.stringify({ keys }) });
  const before = platform.secretsOf("tenantry-dispatch").SUPABASE_SERVICE_ROLE_KEY ?? "";
  const statuses = () => Promise.all([before, key].map((token) => restStatus(token)));
  await platform.startTraffic();
  await accept([old, next]);
  const key = await new SignJWT({ role: "tenantry_dispatch" })
    .setProtectedHeader({ alg: "HS256", kid: "2" })
    .sign(Buffer.from(next.k, "base64url"));
  const run = await platform.fleet(["rotate", "service-role-key", "--stack", "whole"], `${key}\n`);
  expect(run, run.progress).toMatchObject({ code: 0 });
  expect(run.progress).toContain("Revoke it at the REST layer");
  expect(platform.secretsOf("tenantry-dispatch").SUPABASE_SERVICE_ROLE_KEY).toBe(key);
  expect(await statuses()).toEqual([200, 200]);
  await accept([next]);
  await platform.expectNoFailures();
  await expectDispatchReadsRest();
  expect(await statuses()).toEqual([401, 200]);
  expect(run.progress + readFileSync(platform.platformFile, "utf8")).not.toContain(key);
});

test("the REST API key: refuses the old one after it is withdrawn at the REST layer", async () => {
  const next = "second-api-key-of-the-rest-layer";
  const token = platform.secretsOf("tenantry-dispatch").SUPABASE_SERVICE_ROLE_KEY;
  const statuses = () => Promise.all([REST_API_KEY, next].map((apiKey) => restStatus(token, apiKey)));
  expect(platform.secretsOf("tenantry-dispatch").SUPABASE_API_KEY).toBe(REST_API_KEY);
  expect(await statuses()).toEqual([200, 401]);
  await platform.startTraffic();
  await setRestKeys(platform.edge, { apiKeys: [REST_API_KEY, next] });
  const run = await platform.fleet(["rotate", "rest-api-key", "--stack", "whole"], `${next}\n`);
  expect(run, run.progress).toMatchObject({ code: 0 });
  expect(run.progress).toContain("Revoke it at the REST layer");
  expect(platform.secretsOf("tenantry-dispatch").SUPABASE_API_KEY).toBe(next);
  expect(await statuses()).toEqual([200, 200]);
  await setRestKeys(platform.edge, { apiKeys: [next] });
  await platform.expectNoFailures();
  await expectDispatchReadsRest();
  expect(await statuses()).toEqual([401, 200]);
  expect(run.progress + readFileSync(platform.platformFile, "utf8")).not.toContain(next);
});

test("a provider's key, also in stacks of tenants", async () => {
  const run = await platform.rotateUnderTraffic(
    "provider-key",
    ["--provider", "openai", "--pause", "0"],
    "sk-second\n",
  );
  for (const { PROVIDER_KEYS } of platform.tenantSecrets()) expect(PROVIDER_KEYS).toBe('{"openai":"sk-second"}');
  expect(readFileSync(platform.platformFile, "utf8")).not.toMatch(/sk-(first|second)/);
  expect(run.progress).not.toContain("sk-second");
});

test("refuses invalid rotations before anything changes", async () => {
  const before = readFileSync(platform.platformFile, "utf8");
  for (const [args, sentence] of [
    [["rotate", "nothing", "--stack", "whole"], "There is no secret nothing. Choose one of database-logins, "],
    [["rotate", "live-token"], "rotate requires --stack STACK."],
    [["rotate", "live-token", "--stack", "other"], "Set --stack to the platform's stack."],
    [["rotate", "provider-key", "--stack", "whole"], "is required for provider-key"],
    [["rotate", "service-role-key", "--stack", "whole"], "Standard input is empty. Pass the new secret"],
    [["rotate", "live-token", "--stack", "whole", "--finish"], "No rotation of live-token waits for --finish"],
  ] as const) {
    const refused = await platform.fleet([...args]);
    expect(refused, refused.progress).toMatchObject({ code: 1 });
    expect(refused.progress).toContain(sentence);
  }
  expect(readFileSync(platform.platformFile, "utf8")).toBe(before);
});

test("the passphrase: opens no stack with the old one, and deploys the platform with the new one", async () => {
  const next = "passphrase-of-a-test";
  await platform.automation?.stop();
  await platform.encryptAllByPassphrase();
  const run = await platform.rotateUnderTraffic("passphrase", [], `${next}\n`);
  const withNext = { PULUMI_CONFIG_PASSPHRASE: next };
  for (const stack of ["whole", "prod-lab"]) {
    const secret = (variables: Record<string, string>) =>
      startPulumi(platform.edge, join(ROOT, "tenants"), ["stack", "export", "--show-secrets", "-s", stack], variables)
        .ended;
    const refused = await secret({});
    expect(refused.code, refused.output).not.toBe(0);
    expect(refused.output).toContain("incorrect passphrase");
    expect(await secret(withNext)).toMatchObject({ code: 0 });
  }
  // The secrets in the file were encrypted again.
  const deploy = ["up", "--yes", "--skip-preview", "-s", "whole", "--config-file", platform.platformFile];
  const up = await startPulumi(platform.edge, ROOT, deploy, withNext).ended;
  expect(up, up.output).toMatchObject({ code: 0 });
  expect(platform.secretsOf("tenants/tenant-acme").PROVIDER_KEYS).toBe('{"openai":"sk-second"}');
  expect(run.progress + readFileSync(platform.platformFile, "utf8")).not.toContain(next);
});
