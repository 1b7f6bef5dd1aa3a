/** Serves a declared route: caller, inputs, one transaction, answer. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { isStillCaller } from "#database/callers/still-caller.ts";
import type { DB } from "#database/types.ts";
import { ANYONE, type Route, type Routes } from "#workers/contracts/api/route.ts";
import type { Env, Settings } from "../env.ts";
import type { Caller } from "../identity/caller.ts";
import type { App, AppContext } from "../variables.ts";
import { parseJson, readBody } from "./body.ts";
import { Connection } from "./connection.ts";
import { Failure } from "./failure.tsx";
import { claimKey, type FirstAnswer, keepAnswer } from "./idempotency.ts";
import { withOwnHeaders } from "./own-headers.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { entityTag, expectedVersions } from "./versions.ts";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A request to a route, with all of its inputs checked. */
export interface Call<R extends Route> {
  params: Parsed<R["params"]>;
  query: Parsed<R["query"]>;
  body: Parsed<R["body"]>;
  /** Bytes of an upload; empty where the route takes none. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Who asks. What is read is asked of the database behind that question, not after it: a read that wants to know waits for it. */
  caller: R["callers"] extends typeof ANYONE ? undefined : R["method"] extends "get" ? Promise<Caller> : Caller;
  /** The request's transaction, which sees what the caller may see; without a caller, a connection that may call schema `dashboard`. */
  db: Kysely<DB>;
  settings: Settings;
  env: Env;
  request: Request;
  /** Admits a page's style sheet past the content security policy. */
  nonce: string;
  /** Versions that may be changed (`If-Match`); undefined for any. */
  expected: readonly number[] | undefined;
  /**
   * Ends the transaction before a long call to elsewhere, after which the database may be asked nothing more. A request with an
   * `Idempotency-Key` keeps it, as its answer is still to be written there.
   */
  release(): Promise<void>;
  /**
   * Asks the database in a short transaction of its own, with the caller's rights as they are then: for an answer that is still being written
   * when the request's has ended.
   *
   * @throws Failure `access_denied` for who is no such caller any more
   */
  inNewTransaction<T>(work: (db: Kysely<DB>) => Promise<T>): Promise<T>;
  /** Has work done once a change is committed; the answer does not wait for it. */
  runAfterCommit(work: () => Promise<unknown>): void;
}

export type Handler<R extends Route> = (
  call: Call<R>,
) => Promise<
  R["produces"] extends readonly string[] ? Response : R["answer"] extends z.ZodType ? z.input<R["answer"]> : void
>;

/** A handler for each of an entity's routes. */
export type Handlers<S extends Routes> = { readonly [K in keyof S]: Handler<S[K]> };

const MAX_BODY_BYTES = 256 * 1024;

/** Which of the routes are served: those for anyone stand before the log-in, the others behind it. */
export type Side = "public" | "private";

export function serveAll<S extends Routes>(
  app: App,
  settings: Settings,
  side: Side,
  routes: S,
  handlers: Handlers<S>,
): void {
  for (const name of Object.keys(routes)) {
    const declared = routes[name as keyof S];
    const handler = handlers[name as keyof S];
    if (declared === undefined || (declared.callers === ANYONE) !== (side === "public")) continue;
    serve(app, settings, declared, handler as unknown as Handler<Route>);
  }
}

function serve(app: App, settings: Settings, route: Route, handler: Handler<Route>): void {
  app.on(route.method.toUpperCase(), route.path, async (c) => {
    requireSameOrigin(c.req.raw);
    const caller = callerOf(c, route);
    const answering = answer(c, route.method === "get" ? caller : await caller);
    answering.catch(() => undefined);
    // A read may be done by now, but is for whom the route is for alone.
    await caller;
    const response = await answering;
    return route.produces === undefined ? response : withOwnHeaders(c, response);
  });

  async function answer(c: AppContext, caller: Promise<Caller | undefined> | Caller | undefined): Promise<Response> {
    const sent = await readSent(c, route);
    const work: (() => Promise<unknown>)[] = [];
    const connection = c.get("connection");
    const key = route.method === "post" ? c.req.header("idempotency-key") : undefined;
    const claimant = await (key === undefined ? undefined : caller);
    const claim = key === undefined || claimant === undefined ? undefined : { key, caller: claimant };
    const call: Call<Route> = {
      params: parse(route.params, c.req.param(), "address"),
      query: parse(route.query, c.req.query(), "query"),
      body: route.body === undefined ? undefined : parse(route.body, parseJson(sent), "body"),
      bytes: sent,
      caller: caller as Caller,
      db: connection.db,
      settings,
      env: c.env,
      request: c.req.raw,
      nonce: c.get("secureHeadersNonce") ?? "",
      expected: route.versioned ? expectedVersions(c.req.header("if-match")) : undefined,
      release: async () => {
        if (claim === undefined) await connection.commit();
      },
      inNewTransaction: async (asked) => askAnew(c, await caller, asked),
      runAfterCommit: (one) => void work.push(one),
    };
    if (claim !== undefined) {
      const first = await claimKey(connection.db, claim.caller, claim.key, identityOf(c, sent));
      if (first !== undefined) return answered(c, first, { "idempotency-replayed": "true" });
    }
    const body: unknown = await handler(call);
    const answer = { status: route.status ?? (route.answer === undefined ? 204 : 200), body };
    if (claim !== undefined) await keepAnswer(connection.db, claim.caller, claim.key, answer);
    // A read's transaction ends while its answer is on the way.
    if (route.method !== "get") await connection.commit();
    for (const one of work) c.executionCtx.waitUntil(one());
    return body instanceof Response ? body : answered(c, answer);
  }
}

/** @throws Failure for who is no user, and `forbidden` for whom the route is not for */
async function callerOf(c: AppContext, route: Route): Promise<Caller | undefined> {
  if (route.callers === ANYONE) return undefined;
  const caller = await c.get("caller");
  if (!route.callers.includes(caller.role)) {
    throw new Failure("forbidden", "Platform roots alone may do that; ask one of them.");
  }
  return caller;
}

async function askAnew<T>(c: AppContext, caller: Caller | undefined, work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
  const connection = new Connection(c.env.DB);
  const gone = () => new Failure("access_denied", "You are not the user any longer who began this.");
  try {
    if (caller !== undefined) {
      const now = await connection.enter(caller.email, { source: "", requestId: c.get("requestId") });
      if (now?.id !== caller.id || now.partnerId !== caller.partnerId) throw gone();
    }
    const result = await work(connection.db);
    // Whoever was removed in between saw no rows, which is no end of anything.
    if (caller !== undefined && !(await isStillCaller(connection.db))) throw gone();
    await connection.commit();
    return result;
  } finally {
    // What was not committed ends with the connection.
    c.executionCtx.waitUntil(connection.close().catch(() => undefined));
  }
}

const versioned = z.object({ version: z.number() });

function answered(c: AppContext, { status, body }: FirstAnswer, headers: Record<string, string> = {}): Response {
  const read = versioned.safeParse(body);
  if (read.success) headers.etag = entityTag(read.data.version);
  return status === 204 ? c.body(null, 204, headers) : c.json(body ?? null, status as 200, headers);
}

/** What makes two requests the same. */
function identityOf(c: AppContext, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${c.req.method} ${c.req.path}\n`);
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
}

/** What came as the body, of a type and size that the route takes. */
async function readSent(c: AppContext, route: Route): Promise<Uint8Array<ArrayBuffer>> {
  const { upload } = route;
  if (upload === undefined && route.body === undefined) return new Uint8Array();
  const most = upload?.maxBytes ?? MAX_BODY_BYTES;
  const body = await readBody(c.req.raw, most);
  const json = /^application\/json\b/i.test(c.req.header("content-type") ?? "");
  if (upload === undefined && body.length > 0 && !json) {
    throw new Failure("unsupported_media_type", "Send JSON, as content type application/json.");
  }
  return body;
}

function parse<S extends z.ZodType | undefined>(schema: S, value: unknown, where: string): Parsed<S> {
  if (schema === undefined) return undefined as Parsed<S>;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as Parsed<S>;
  const { fieldErrors, formErrors } = z.flattenError(parsed.error);
  const details = formErrors.length > 0 ? { ...fieldErrors, [where]: formErrors } : fieldErrors;
  throw new Failure("invalid_request", `The ${where} holds values that cannot be.`, details);
}
