/**
 * The RPC interface of PostgREST and Supabase: functions of schema `api`, called by name with JSON arguments. Tables are not exposed.
 */
import type { Log } from "@tenantry/std/log";
import { equalSecrets } from "@tenantry/std/same-secret";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import pg from "pg";
import * as z from "zod";
import { callFunction, type Result } from "./rest-call.ts";
import { RestError, toRestError } from "./rest-error.ts";
import { SCHEMA } from "./rest-function.ts";
import { type RestKey, readRestKeys } from "./rest-keys.ts";
import { authenticateRestCaller } from "./rest-token.ts";

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 1_000_000;
const JSON_TYPE = "application/json; charset=utf-8";
const SINGLE_TYPE = "application/vnd.pgrst.object+json";
/** Query parameters by which PostgREST filters a result. */
const FILTERS = ["select", "order", "limit", "offset", "columns", "and", "or"];

export { postgrestDifferences } from "./differences.ts";
export { type RestKey, readRestKeys };

export interface RestSecrets {
  /** HS256 secret of the tokens, at least 32 characters, or a JWK Set of several. */
  jwtSecret: string;
  /**
   * Keys, one of which a call must have in the header `apikey` beside its bearer token, as Supabase's gateway requires.
   * Default: none is required, and `apikey` may have the token.
   */
  apiKeys?: readonly string[] | undefined;
}

export interface Rest {
  app: Hono;
  /** Replaces keys, as PostgREST does when it reloads its configuration. @throws Error when the secret is invalid */
  reload(keys: Partial<RestSecrets>): void;
  close(): Promise<void>;
}

/**
 * Creates the REST interface of a database.
 *
 * @param options.databaseUrl connects as a role that can switch to the roles of the tokens
 * @throws Error when the secret is invalid
 */
export function createRest(options: RestSecrets & { databaseUrl: string; log: Log }): Rest {
  const { log } = options;
  let keys = readRestKeys(options.jwtSecret);
  let apiKeys = options.apiKeys ?? [];
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "postgrest",
  });
  pool.on("error", (error) => log("rest", "connection-lost", { message: error.message }));
  // The call reports a session that ends during it.
  pool.on("connect", (client) => client.on("error", () => undefined));

  const tooLarge = () =>
    new RestError(413, "PGRST102", `The body must have at most ${MAX_BODY_BYTES} bytes`).response();
  const app = new Hono();
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }));
  app.use((context, next) => (apiKeys.length === 0 ? next() : requireApiKey(apiKeys)(context, next)));
  const authenticated = (headers: Headers) => authenticateRestCaller(headers, keys, { byApiKey: apiKeys.length === 0 });
  app.all("/rpc/:function", async (context) => {
    const request = context.req.raw;
    const { role, claims } = await authenticated(request.headers);
    const name = context.req.param("function");
    if (!["GET", "HEAD", "POST"].includes(request.method)) {
      throw new RestError(405, "PGRST101", `Cannot use the ${request.method} method on RPC`);
    }
    const single = wantsSingle(request.headers);
    checkProfile(request.headers);
    const { body, given } = await readArguments(request);
    const { method } = request;
    const result = await callFunction(pool, { name, body, given, role, claims, method, path: `/rpc/${name}` });
    return restResponse(result, single);
  });
  app.all("*", async (context) => {
    await authenticated(context.req.raw.headers);
    const table = /([^/]+)\/?$/.exec(new URL(context.req.url).pathname)?.[1] ?? "";
    throw new RestError(404, "PGRST205", `Could not find the table '${SCHEMA}.${table}' in the schema cache`, {
      hint: "Only functions are exposed: call /rpc/<function>",
    });
  });
  app.onError((cause) => {
    const error = toRestError(cause);
    if (error.status >= 500) log("rest", "failed", { code: error.code, status: error.status });
    return error.response();
  });
  const reload = (changed: Partial<RestSecrets>) => {
    if (changed.jwtSecret !== undefined) keys = readRestKeys(changed.jwtSecret);
    if (changed.apiKeys !== undefined) apiKeys = changed.apiKeys;
  };
  return { app, reload, close: () => pool.end() };
}

/** The check of Supabase's gateway, which is in front of PostgREST. */
function requireApiKey(apiKeys: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.header("apikey");
    if (given !== undefined && apiKeys.some((key) => equalSecrets(given, key))) return next();
    const message = given === undefined ? "No API key found in request" : "Invalid API key";
    return context.json({ message, hint: "Send the project's API key in the header `apikey`." }, 401);
  };
}

/** Reads the arguments from the query (GET and HEAD) or the body (POST). */
async function readArguments(request: Request): Promise<{ body: string; given: string[] }> {
  const query = [...new URL(request.url).searchParams];
  const filter = query.find(([name]) => FILTERS.includes(name) || request.method === "POST");
  if (filter !== undefined) {
    const message = `The query parameter "${filter[0]}" is not supported: results cannot be filtered`;
    throw new RestError(400, "PGRST100", message);
  }
  if (request.method !== "POST") {
    const values = Object.fromEntries(query);
    return { body: JSON.stringify(values), given: Object.keys(values) };
  }
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "application/json";
  if (type !== "application/json") throw new RestError(415, "PGRST102", `Content-Type not acceptable: ${type}`);
  const body = (await request.text()) || "{}";
  const parsed = parseJson(body);
  const named = z.record(z.string(), z.unknown()).safeParse(parsed);
  return { body, given: named.success ? Object.keys(named.data) : [] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RestError(400, "PGRST102", "Empty or invalid json");
  }
}

function wantsSingle(headers: Headers): boolean {
  const accepted = (headers.get("accept") ?? "*/*")
    .split(",")
    .map((entry) => entry.split(";")[0]?.trim().toLowerCase() ?? "");
  if (accepted.includes(SINGLE_TYPE)) return true;
  if (accepted.some((type) => ["*/*", "application/*", "application/json"].includes(type))) return false;
  throw new RestError(406, "PGRST107", `None of these media types are available: ${accepted.join(", ")}`);
}

function checkProfile(headers: Headers): void {
  const profile = headers.get("content-profile") ?? headers.get("accept-profile") ?? SCHEMA;
  if (profile === SCHEMA) return;
  throw new RestError(406, "PGRST106", `Invalid schema: ${profile}`, {
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  });
}

function restResponse({ body, rows }: Result, single: boolean): Response {
  if (body === undefined) return new Response(null, { status: 204 });
  if (!single) return new Response(body, { headers: { "content-type": JSON_TYPE } });
  const isList = body.startsWith("[");
  if (isList && rows !== 1) {
    throw new RestError(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
      details: `The result contains ${rows} rows`,
    });
  }
  const object = isList ? JSON.stringify(z.array(z.unknown()).parse(JSON.parse(body))[0]) : body;
  return new Response(object, { headers: { "content-type": `${SINGLE_TYPE}; charset=utf-8` } });
}
