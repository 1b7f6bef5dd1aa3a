/** Provider keys in the API, with a stand-in of the providers. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { type KeyProvider, keyProviders } from "#domain/provider-keys/providers.ts";
import { providerKeyRoutes } from "#workers/contracts/api/tenants/provider-keys.ts";
import { openProviderKey } from "#workers/shared/doors/provider-key.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";
import { DOORS_KEY } from "../../testing/start-dashboard.ts";

const KEY = "sk-proj-Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";
const OTHER = "sk-proj-Another0aBcDeFgHiJkLmNoPqRsTuVwXyZ4567";

/** The response to the next request. Default: a list of models. */
let next: { status: number; body: unknown; headers?: Record<string, string> } | undefined;
let heard: { path: string; headers: IncomingHttpHeaders }[] = [];
const providers = createServer(({ url = "", headers }, response) => {
  heard.push({ path: url, headers });
  const { status, body, headers: more } = next ?? { status: 200, body: { data: [] } };
  response.writeHead(status, { "content-type": "application/json", ...more }).end(JSON.stringify(body));
});
let api: ApiUnderTest;
let acme: string;
let umbrella: string;
beforeAll(async () => {
  const url = `http://127.0.0.1:${await listen(providers, { port: 0 })}`;
  const apis = Object.fromEntries(keyProviders.map((provider) => [provider, `${url}/${provider}`]));
  api = await startApi({ PROVIDER_APIS: JSON.stringify(apis) });
  const tenant = async (slug: string, partner_id: string) =>
    insertInstance(api.database.db, await insertClient(api.database.db, { slug, partner_id }));
  acme = await tenant("acme", api.partners.north);
  umbrella = await tenant("umbrella", api.partners.south);
});
afterAll(async () => {
  await api?.stop();
  await closeAndCut(providers);
});
afterEach(async () => {
  for (const table of ["provider_keys", "jobs", "events"])
    await api.database.pool.query(`delete from tenantry.${table}`);
  next = undefined;
  heard = [];
});

const paramsOf = (provider: KeyProvider, instance_id = acme) => ({ instance_id, provider });
const put = async (key = KEY, provider: KeyProvider = "openai", as: As = "north") =>
  (await api.call(providerKeyRoutes.putProviderKey, { as, params: paramsOf(provider), body: { key } })).body;
const refused = async (answer: Promise<{ status: number; error: object }>) => {
  const { status, error } = await answer;
  return { status, ...error };
};
const refusedPut = (key = KEY, provider: KeyProvider = "openai", instance_id = acme) =>
  refused(
    api.refused(providerKeyRoutes.putProviderKey, {
      as: "north",
      params: paramsOf(provider, instance_id),
      body: { key },
    }),
  );
const remove = { as: "north", params: { instance_id: "", provider: "openai" } } as const;
const list = async (instance_id = acme, as: As = "north") =>
  (await api.call(providerKeyRoutes.listProviderKeys, { as, params: { instance_id } })).body.data;
const query = async (text: string, ...values: unknown[]) => (await api.database.pool.query(text, values)).rows;
const pushes = () => query("select slug, instance_id from tenantry.jobs where kind = 'push_provider_keys'");

/** Returns the text of everything that could have a key. */
async function everywhere(): Promise<string> {
  const tables = ["provider_keys", "audit_log", "events", "jobs", "idempotency_keys"];
  const rows = await Promise.all(tables.map((table) => query(`select t::text from tenantry.${table} t`)));
  return JSON.stringify([rows, api.logs]);
}

test("stores a key that the provider accepts, encrypted, and sends it to the tenant", async () => {
  const created = await put(` ${KEY}\n`);
  expect(created).toMatchObject({
    ...{ instance_id: acme, provider: "openai", key_hint: "0123", state: "pushing", created_by: "root@north.test" },
    ...{ last_error: null, last_error_at: null, pushed_at: null, last_used_at: null },
  });
  expect(await list()).toEqual([created]);
  expect(await list(acme, "root")).toEqual([created]);
  const [row] = await query("select credentials from tenantry.provider_keys");
  const secret = await openProviderKey({ used: DOORS_KEY }, created.id, row.credentials);
  expect(secret).toEqual({ provider: "openai", key: KEY });
  await expect(openProviderKey({ used: DOORS_KEY }, crypto.randomUUID(), row.credentials)).rejects.toThrow();
  expect(await pushes()).toEqual([{ slug: "acme", instance_id: acme }]);
  expect(
    await query("select kind, data ->> 'provider' as provider from tenantry.events where kind like 'provider%'"),
  ).toEqual([{ kind: "provider_key.created", provider: "openai" }]);
  expect(await everywhere()).not.toContain(KEY.slice(8, 40));
});

test("sends the key to each provider as it is documented, and to no other host", async () => {
  for (const provider of keyProviders) await put(KEY, provider);
  expect(heard.map(({ path }) => path)).toEqual([
    "/anthropic/v1/models?limit=1",
    "/deepseek/models",
    "/google-ai-studio/v1beta/models?pageSize=1",
    "/grok/v1/models",
    "/groq/v1/models",
    "/mistral/v1/models",
    "/openai/v1/models",
    "/openrouter/v1/key",
  ]);
  const headersOf = (provider: string) => heard.find(({ path }) => path.startsWith(`/${provider}/`))?.headers;
  expect(headersOf("anthropic")).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
  expect(headersOf("google-ai-studio")).toMatchObject({ "x-goog-api-key": KEY });
  expect(headersOf("openai")).toMatchObject({ authorization: `Bearer ${KEY}` });
  expect(headersOf("anthropic")).not.toHaveProperty("authorization");
  heard = [];
  next = { status: 307, body: {}, headers: { location: "/elsewhere" } };
  expect(await refusedPut()).toMatchObject({ status: 503, reason: "provider_response_unknown" });
  expect(heard).toHaveLength(1);
});

test("replaces a key with another ID, and keeps no fault of the former one", async () => {
  const first = await put();
  await query("update tenantry.provider_keys set fault = 'rejected', last_error = 'no', last_error_at = now()");
  expect(await list()).toMatchObject([{ state: "rejected", last_error: "no" }]);
  const second = await put(OTHER);
  expect(second).toMatchObject({ key_hint: "4567", state: "pushing", last_error: null });
  expect(second.id).not.toBe(first.id);
  expect(await list()).toEqual([second]);
  const actions = await query(
    "select action from tenantry.audit_log where entity = 'provider_keys' and entity_id in ($1, $2) order by id",
    first.id,
    second.id,
  );
  expect(actions.map(({ action }) => action)).toEqual(["insert", "delete", "insert"]);
});

test("deletes a key, and removes it from the tenant", async () => {
  await put();
  const params = { ...remove.params, instance_id: acme };
  await api.call(providerKeyRoutes.deleteProviderKey, { ...remove, params });
  expect(await list()).toEqual([]);
  expect(await pushes()).toHaveLength(2);
  expect(await refused(api.refused(providerKeyRoutes.deleteProviderKey, { ...remove, params }))).toMatchObject({
    status: 404,
    reason: "provider_key_not_found",
  });
});

test("stores nothing if the provider refuses the key, and shows its words without the key", async () => {
  const error = { message: `Incorrect API key provided: ${KEY}.`, code: "invalid_api_key" };
  next = { status: 401, body: { error } };
  expect(await refusedPut()).toMatchObject({
    status: 400,
    reason: "provider_key_rejected",
    message: expect.stringContaining(`OpenAI rejects the key: Incorrect API key provided: ${"*".repeat(KEY.length)}. `),
  });
  next = { status: 400, body: { error: { message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] } } };
  expect(await refusedPut(KEY, "google-ai-studio")).toMatchObject({ reason: "provider_key_rejected" });
  next = { status: 403, body: { error: { message: "Not allowed" } } };
  expect(await refusedPut(KEY, "anthropic")).toMatchObject({ reason: "provider_key_rejected" });
  next = { status: 429, body: { error: { message: "Slow down" } }, headers: { "retry-after": "7" } };
  expect(await refusedPut()).toMatchObject({ status: 429, reason: "provider_busy" });
  next = { status: 502, body: "bad gateway" };
  expect(await refusedPut()).toMatchObject({ status: 503, reason: "provider_response_unknown" });
  expect(await list()).toEqual([]);
  expect(await pushes()).toEqual([]);
  expect(await everywhere()).not.toContain(KEY.slice(8, 40));
});

test("accepts a restricted key, and one of an account without credit: the provider knows both", async () => {
  next = { status: 403, body: { error: { message: "Missing scopes: api.model.read" } } };
  await put();
  next = { status: 402, body: { error: { message: "Insufficient Balance" } } };
  await put(KEY, "deepseek");
  expect((await list()).map(({ provider }) => provider)).toEqual(["deepseek", "openai"]);
});

test("refuses malformed keys, unknown providers and tenants of others, without a request", async () => {
  for (const key of ["", "short", `${KEY}\r\nx-a: b`, `${KEY} ${KEY}`, "ü".repeat(20)])
    expect(await refusedPut(key)).toMatchObject({ status: 400 });
  expect(await refusedPut(KEY, "unknown" as KeyProvider)).toMatchObject({ status: 400 });
  expect(await refusedPut(KEY, "openai", umbrella)).toMatchObject({ status: 404, reason: "instance_not_found" });
  expect(heard).toEqual([]);
});
