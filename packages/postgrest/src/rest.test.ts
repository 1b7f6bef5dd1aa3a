import { PostgrestClient } from "@supabase/postgrest-js";
import { startTestServer, type TestServer } from "@tenantry/postgres/testing/test-server";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRest, type Rest } from "./rest.ts";

const SECRET = "a-secret-of-at-least-thirty-two-characters";
let database: TestServer;
let rest: Rest;
beforeAll(async () => {
  database = await startTestServer();
  await database.pool.query(`
    create schema data;
    create schema api;
    create role web_user nologin;
    grant usage on schema api to web_user;
    create table data.notes (id integer primary key, note text);
    grant usage on schema data to web_user;
    grant insert on data.notes to web_user;
    create type api.pair as (a integer, b text);
    create function api.scalar(x integer) returns integer language sql immutable as 'select x + 1';
    create function api.scalars(n integer) returns setof integer language sql immutable as 'select generate_series(1, n)';
    create function api.pair(a integer, b text default 'none') returns api.pair language sql immutable as 'select (a, b)::api.pair';
    create function api.pairs(n integer) returns setof api.pair language sql immutable as 'select (i, ''p'' || i)::api.pair from generate_series(1, n) i';
    create function api.found(name text, email text default null) returns jsonb language sql stable as
      $$ select jsonb_build_object('found', null, 'role', email) $$;
    create function api.listed(p_after uuid default null, p_limit integer default 500) returns jsonb language sql stable as
      $$ select '[]'::jsonb $$;
    create function api.one_column(n integer) returns table (i integer) language sql immutable as 'select generate_series(1, n)';
    create function api.outs(x integer, out double integer, out triple integer) language sql immutable as 'select x * 2, x * 3';
    create function api.one_out(x integer, out double integer) language sql immutable as 'select x * 2';
    create function api.nothing() returns void language sql as '';
    create function api.null_text() returns text language sql immutable as 'select null::text';
    create function api.whole(json) returns json language sql immutable as 'select $1';
    create function api.over(a integer) returns text language sql immutable as $$ select 'integer' $$;
    create function api.over(b text) returns text language sql immutable as $$ select 'text' $$;
    create function api."Odd name"("an arg" text[]) returns text language sql immutable as $$ select "an arg"[1] $$;
    create function api.whoami() returns json language sql stable as $$
      select json_build_object('role', current_user, 'claims', current_setting('request.jwt.claims')::json,
        'method', current_setting('request.method'), 'path', current_setting('request.path')) $$;
    create function api.note(id integer, note text) returns void language sql as 'insert into data.notes values (id, note)';
    create function api.refuse(code text) returns void language plpgsql as $$
      begin raise exception 'refused' using errcode = code, detail = 'why', hint = 'what to do'; end $$;
    create function api.slow() returns void language sql as 'select pg_sleep(60)';
    create function api.closed() returns integer language sql as 'select 1';
    revoke all on function api.closed from public`);
  rest = createRest({ databaseUrl: database.url, jwtSecret: SECRET, log: () => undefined });
});
afterAll(async () => {
  await rest.close();
  await database.stop();
});

function sign(claims: Record<string, unknown>, secret = SECRET, algorithm = "HS256"): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm }).sign(new TextEncoder().encode(secret));
}
const token = sign({ role: "web_user", iss: "tests" });

async function client(): Promise<PostgrestClient> {
  return new PostgrestClient("http://rest.test", {
    headers: { authorization: `Bearer ${await token}` },
    fetch: async (input, init) => rest.app.request(String(input), init),
  });
}

async function call(path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${await token}`, "content-type": "application/json", ...init.headers };
  const response = await rest.app.request(path, { method: "POST", ...init, headers });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

describe("a required API key", () => {
  const KEY = "project-key";
  let guarded: Rest;
  beforeAll(() => {
    guarded = createRest({ databaseUrl: database.url, jwtSecret: SECRET, apiKeys: [KEY], log: () => undefined });
  });
  afterAll(() => guarded.close());
  const callWhoami = async (headers: Record<string, string>) => {
    const postgrest = new PostgrestClient("http://rest.test", {
      headers,
      fetch: async (input, init) => guarded.app.request(String(input), init),
    });
    const { data, error, status } = await postgrest.rpc("whoami").single<{ role: string }>();
    return { status, role: data?.role, message: error?.message };
  };

  test("is sent beside the bearer token", async () => {
    const authorization = `Bearer ${await token}`;
    expect(await callWhoami({ apikey: KEY, authorization })).toMatchObject({ status: 200, role: "web_user" });
    expect(await callWhoami({ apikey: await token, authorization })).toMatchObject({
      status: 401,
      message: "Invalid API key",
    });
    expect(await callWhoami({ authorization })).toMatchObject({ status: 401, message: "No API key found in request" });
    expect(await callWhoami({ apikey: KEY })).toMatchObject({ status: 401, message: "Anonymous access is disabled" });
  });

  test("rotates: two are valid, then the new one alone", async () => {
    const authorization = `Bearer ${await token}`;
    const statuses = async () => [
      (await callWhoami({ apikey: KEY, authorization })).status,
      (await callWhoami({ apikey: "second-key", authorization })).status,
    ];
    expect(await statuses()).toEqual([200, 401]);
    guarded.reload({ apiKeys: [KEY, "second-key"] });
    expect(await statuses()).toEqual([200, 200]);
    guarded.reload({ apiKeys: ["second-key"] });
    expect(await statuses()).toEqual([401, 200]);
  });
});

describe("results", () => {
  test.each<[string, Record<string, unknown>, unknown]>([
    ["scalar", { x: 1 }, 2],
    ["scalars", { n: 3 }, [1, 2, 3]],
    ["scalars", { n: 0 }, []],
    ["pair", { a: 1 }, { a: 1, b: "none" }],
    ["pair", { b: "x", a: 1 }, { a: 1, b: "x" }],
    [
      "pairs",
      { n: 2 },
      [
        { a: 1, b: "p1" },
        { a: 2, b: "p2" },
      ],
    ],
    ["one_column", { n: 2 }, [{ i: 1 }, { i: 2 }]],
    ["outs", { x: 2 }, { double: 4, triple: 6 }],
    ["one_out", { x: 2 }, { double: 4 }],
    ["null_text", {}, null],
    ["whole", { any: ["thing"] }, { any: ["thing"] }],
    ["over", { a: 1 }, "integer"],
    ["over", { b: "1" }, "text"],
    ["Odd name", { "an arg": ["first", "second"] }, "first"],
    ["found", { name: "nowhere", email: null }, { found: null, role: null }],
    ["listed", {}, []],
  ])("%s(%j)", async (name, args, expected) => {
    const { data, error, status } = await (await client()).rpc(name, args);
    expect({ data, error, status }).toEqual({ data: expected, error: null, status: 200 });
  });

  test("returns 204 for a function without a result", async () => {
    expect(await call("/rpc/nothing")).toEqual({ status: 204, body: undefined });
  });

  test("returns one row for single() and 406 for another number of rows", async () => {
    const postgrest = await client();
    expect((await postgrest.rpc("pairs", { n: 1 }).single()).data).toEqual({ a: 1, b: "p1" });
    const { error, status } = await postgrest.rpc("pairs", { n: 2 }).single();
    expect({ status, code: error?.code, details: error?.details }).toEqual({
      status: 406,
      code: "PGRST116",
      details: "The result contains 2 rows",
    });
  });

  test("allows GET for a function that reads, not for one that writes", async () => {
    expect((await (await client()).rpc("pair", { a: 1, b: "x" }, { get: true })).data).toEqual({ a: 1, b: "x" });
    expect(await call("/rpc/note?id=9&note=x", { method: "GET" })).toMatchObject({
      status: 405,
      body: { code: "25006" },
    });
  });

  test("passes role, claims and request to the function, for one call", async () => {
    expect((await call("/rpc/whoami")).body).toEqual({
      role: "web_user",
      claims: { role: "web_user", iss: "tests" },
      method: "POST",
      path: "/rpc/whoami",
    });
    const other = await sign({ role: "web_user", sub: "other" });
    const { body } = await call("/rpc/whoami", { headers: { authorization: `Bearer ${other}` } });
    expect(body).toMatchObject({ claims: { sub: "other" } });
    expect(body).not.toHaveProperty("claims.iss");
  });
});

describe("tokens", () => {
  const seconds = () => Math.floor(Date.now() / 1000);
  const bearer = async (jwt: string) => call("/rpc/whoami", { headers: { authorization: `Bearer ${jwt}` } });

  test("accepts the token in apikey alone, as Supabase's clients send it", async () => {
    const response = await rest.app.request("/rpc/whoami", { method: "POST", headers: { apikey: await token } });
    expect(response.status).toBe(200);
  });

  test("rejects a request without a token or without a role", async () => {
    const refused = {
      status: 401,
      body: { code: "PGRST302", message: "Anonymous access is disabled", details: null, hint: null },
    };
    expect(await call("/rpc/whoami", { headers: { authorization: "" } })).toEqual(refused);
    expect(await bearer(await sign({ sub: "x" }))).toEqual(refused);
    expect(await bearer(await sign({ role: ["web_user"] }))).toEqual(refused);
  });

  test.each([
    ["another secret", () => sign({ role: "web_user" }, `${SECRET}!`), "PGRST301"],
    ["another algorithm", () => sign({ role: "web_user" }, SECRET, "HS512"), "PGRST301"],
    ["no signature", async () => new UnsecuredJWT({ role: "web_user" }).encode(), "PGRST301"],
    ["no token at all", async () => "not.a.token", "PGRST301"],
    ["a past expiry", () => sign({ role: "web_user", exp: seconds() - 60 }), "PGRST303"],
    ["a later start", () => sign({ role: "web_user", nbf: seconds() + 60 }), "PGRST303"],
  ])("rejects a token with %s", async (_, jwt, code) => {
    expect(await bearer(await jwt())).toMatchObject({ status: 401, body: { code } });
  });

  test("rejects a role that does not exist and a privileged role", async () => {
    expect(await bearer(await sign({ role: "nobody" }))).toMatchObject({ status: 401, body: { code: "22023" } });
    expect(await bearer(await sign({ role: "postgres" }))).toMatchObject({ status: 403, body: { code: "42501" } });
    // `set role none` resets the role to that of the connection.
    expect(await bearer(await sign({ role: "none" }))).toMatchObject({ status: 401, body: { code: "22023" } });
  });

  test("accepts each key of a JWK Set until it is removed", async () => {
    const jwk = (secret: string, kid?: string) => ({ kty: "oct", k: Buffer.from(secret).toString("base64url"), kid });
    const [old, next] = ["the-old-key-that-will-be-removed-soon", "the-new-key-that-replaces-the-old-one"];
    const keys = createRest({
      databaseUrl: database.url,
      jwtSecret: JSON.stringify({ keys: [jwk(old), jwk(next, "next")] }),
      log: () => undefined,
    });
    const claims = { role: "web_user" };
    const named = (secret: string, kid: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(new TextEncoder().encode(secret));
    const status = async (jwt: string) =>
      (await keys.app.request("/rpc/whoami", { method: "POST", headers: { authorization: `Bearer ${jwt}` } })).status;
    const statuses = async () =>
      Promise.all(
        [await sign(claims, old), await sign(claims, next), await named(next, "next"), await named(next, "x")].map(
          status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200, 401]);
    keys.reload({ jwtSecret: JSON.stringify({ keys: [jwk(next, "next")] }) });
    expect(await statuses()).toEqual([401, 200, 200, 401]);
    for (const jwtSecret of ['{"keys":[]}', '{"keys":[{"kty":"RSA"}]}', "{", JSON.stringify({ keys: [jwk("short")] })])
      expect(() => keys.reload({ jwtSecret })).toThrow("The JWT secret");
    expect(await statuses()).toEqual([401, 200, 200, 401]);
    await keys.close();
  });

  test("rejects a secret that is too short at start", () => {
    expect(() => createRest({ databaseUrl: database.url, jwtSecret: "short", log: () => undefined })).toThrow(
      /at least 32/,
    );
  });
});

describe("errors", () => {
  test("returns PGRST202 for an unknown function or argument", async () => {
    const { error, status } = await (await client()).rpc("missing", { x: 1 });
    expect({ status, error }).toMatchObject({
      status: 404,
      error: {
        code: "PGRST202",
        message: "Could not find the function api.missing(x) in the schema cache",
        hint: null,
      },
    });
    for (const [name, args] of [
      ["scalar", {}],
      ["scalar", { x: 1, y: 2 }],
      ["scalar", { y: 1 }],
      ["pg_sleep", { x: 1 }],
      ["scalar(1); drop table x; --", {}],
    ]) {
      expect((await (await client()).rpc(String(name), args)).error?.code).toBe("PGRST202");
    }
  });

  test.each([
    ["P0001", 400],
    ["TN002", 400],
    ["23505", 409],
    ["23503", 409],
    ["40001", 500],
    ["PT418", 418],
    ["42P01", 404],
  ])("maps code %s to status %i with message, details and hint", async (code, status) => {
    const body = { code, message: "refused", details: "why", hint: "what to do" };
    expect(await call("/rpc/refuse", { body: JSON.stringify({ code }) })).toEqual({ status, body });
  });

  test("returns 400 for a value of the wrong type and 409 for a duplicate", async () => {
    expect(await call("/rpc/scalar", { body: '{"x":"one"}' })).toMatchObject({ status: 400, body: { code: "22P02" } });
    expect((await call("/rpc/note", { body: '{"id":1,"note":"a"}' })).status).toBe(204);
    expect(await call("/rpc/note", { body: '{"id":1,"note":"a"}' })).toMatchObject({
      status: 409,
      body: { code: "23505" },
    });
  });

  test("returns 403 when the role lacks permission to call the function", async () => {
    expect(await call("/rpc/closed")).toMatchObject({ status: 403, body: { code: "42501" } });
  });

  test("names an unsupported table, method, media type, schema or filter", async () => {
    const { error, status } = await (await client()).from("clients").select();
    expect({ status, code: error?.code }).toEqual({ status: 404, code: "PGRST205" });
    expect(error?.hint).toMatch(/Only functions/);
    expect(await call("/rpc/nothing", { method: "DELETE" })).toMatchObject({ status: 405, body: { code: "PGRST101" } });
    expect(await call("/rpc/nothing", { headers: { accept: "text/csv" } })).toMatchObject({
      status: 406,
      body: { code: "PGRST107" },
    });
    expect(await call("/rpc/nothing", { headers: { "content-profile": "data" } })).toMatchObject({
      status: 406,
      body: { code: "PGRST106" },
    });
    expect(await call("/rpc/nothing?select=a")).toMatchObject({ status: 400, body: { code: "PGRST100" } });
    expect(await call("/rpc/nothing", { body: "{" })).toMatchObject({ status: 400, body: { code: "PGRST102" } });
    expect(await call("/rpc/nothing", { body: "x", headers: { "content-type": "text/plain" } })).toMatchObject({
      status: 415,
    });
    expect(await call("/rpc/whole", { body: `"${"x".repeat(1_000_001)}"` })).toMatchObject({ status: 413 });
  });

  test("ends a call that exceeds the time limit", { timeout: 60_000 }, async () => {
    expect(await call("/rpc/slow")).toMatchObject({ status: 500, body: { code: "57014" } });
  });

  test("returns an error when its session ends during the call, and serves the next one", async () => {
    const answer = call("/rpc/slow");
    const end =
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%slow%' and wait_event = 'PgSleep'";
    await expect.poll(async () => (await database.pool.query(end)).rowCount).toBe(1);
    expect(await answer).toMatchObject({ status: 503, body: { code: "57P01" } });
    expect((await call("/rpc/scalar", { body: '{"x":1}' })).status).toBe(200);
  });

  test("serves more calls than connections", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, x) => call("/rpc/scalar", { body: JSON.stringify({ x }) })),
    );
    expect(answers.map((answer) => answer.body)).toEqual(Array.from({ length: 50 }, (_, x) => x + 1));
  });

  test.each([
    ["is unreachable", () => "postgres://u:open-sesame@127.0.0.1:1/x"],
    ["refuses the login", () => database.url.replace(/\/\/[^@]*@/, "//nobody:open-sesame@")],
  ])("returns 503 without address and password when the database %s", async (_, url) => {
    const gone = createRest({
      databaseUrl: url(),
      jwtSecret: SECRET,
      log: () => undefined,
    });
    const response = await gone.app.request("/rpc/nothing", { method: "POST", headers: { apikey: await token } });
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(JSON.parse(text).code).toBe("PGRST001");
    expect(text).not.toMatch(/sesame|127\.0\.0\.1/);
    await gone.close();
  });
});
