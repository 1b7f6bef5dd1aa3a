/** Serves the declared routes: checks the caller and the inputs, runs the handler in one transaction, and responds. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { callerExists } from "#database/callers/caller-exists.ts";
import type { DB } from "#database/types.ts";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { serviceErrors } from "#domain/errors/api/service.ts";
import {
  admitsRoots,
  admitsTenantUsers,
  isOfConsole,
  type Route,
  type Routes,
  type TenantRole,
} from "#workers/contracts/api/route.ts";
import { doorKeysOf, type Env, type Settings } from "../env.ts";
import type { Caller } from "../identity/caller.ts";
import { callingTenantUser, enterAsTenantUser, limitChanges, type TenantUser } from "../identity/tenant-user.ts";
import { tenantView } from "../identity/tenant-view.ts";
import type { App, AppContext } from "../variables.ts";
import { parseJson, readBody } from "./body.ts";
import { Connection, type Origin } from "./connection.ts";
import { failure, invalidInput } from "./failure.tsx";
import { claimKey, type FirstAnswer, keepAnswer } from "./idempotency.ts";
import { withOwnHeaders } from "./own-headers.ts";
import { isForeign, requireSameOrigin } from "./same-origin.ts";
import { entityTag, expectedVersions } from "./versions.ts";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A request to a route, with checked inputs. */
export interface Call<R extends Route> {
  params: Parsed<R["params"]>;
  query: Parsed<R["query"]>;
  body: Parsed<R["body"]>;
  /** Body of an upload; empty for routes without one, and for one that the handler reads itself. */
  bytes: Uint8Array<ArrayBuffer>;
  /** A read of a root runs its queries right behind the query for the caller, and awaits the caller only if it needs it. */
  caller: R["callers"] extends readonly TenantRole[]
    ? TenantUser
    : R["callers"] extends string
      ? undefined
      : R["method"] extends "get"
        ? Promise<Caller>
        : Caller;
  /** The request's transaction, with a root's rights; for other callers, a connection that can only call schema `dashboard`. */
  db: Kysely<DB>;
  settings: Settings;
  env: Env;
  request: Request;
  /** For the audit log. */
  origin: Origin;
  /** Nonce of style sheets in the content security policy. */
  nonce: string;
  /** Versions in `If-Match`; undefined for any. */
  expected: readonly number[] | undefined;
  /**
   * Ends the transaction before a long request to another service; no query may follow. With an `Idempotency-Key` the transaction stays
   * open, because it stores the response.
   */
  release(): Promise<void>;
  /** Before a request to another service within the transaction: a lost connection then does not repeat this request. */
  actOutside(): void;
  /**
   * Runs queries in a new, short transaction with the caller's current rights, for a response that is still written after the request's
   * transaction ended.
   *
   * @throws Failure `access_denied` once the caller is no longer a user
   */
  inNewTransaction<T>(work: (db: Kysely<DB>) => Promise<T>): Promise<T>;
  /** Runs work after the commit; the response does not wait for it. */
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

/**
 * Public routes, and all that users of a tenant call, are served before the login of the dashboard. Private ones are behind it. A route that roots
 * and users of a tenant call is served on both sides.
 */
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
    if (declared === undefined) continue;
    const { callers } = declared;
    const isServed = side === "private" ? admitsRoots(callers) : !admitsRoots(callers) || admitsTenantUsers(callers);
    if (isServed) serve(app, settings, { route: declared, side, handler: handler as unknown as Handler<Route> });
  }
}

interface Served {
  route: Route;
  side: Side;
  handler: Handler<Route>;
}

function serve(app: App, settings: Settings, { route, side, handler }: Served): void {
  const { callers } = route;
  const isBelowConsole = side === "public" && admitsRoots(callers);
  app.on(route.method.toUpperCase(), isBelowConsole ? consoleApi(":slug") + route.path : route.path, async (c) => {
    requireSameOrigin(c.req.raw);
    const caller = isBelowConsole ? enterAsTenantUser(c, settings, callers) : callerOf(c, route);
    // A handler could send an order to the tenant before it awaits the caller.
    if (isBelowConsole) await caller;
    const tenantUser = isOfConsole(callers) ? await tenantUserOf(c, callers, settings) : undefined;
    if (route.produces !== undefined && isBelowConsole) requireDownloadable(c.req.raw, await caller);
    const answering = answer(c, route.method === "get" ? caller : await caller, tenantUser);
    answering.catch(() => undefined);
    // A read may be complete by now, but only responds to a permitted caller.
    await caller;
    const response = await answering;
    return route.produces === undefined ? response : withOwnHeaders(c, response);
  });

  async function answer(
    c: AppContext,
    caller: Promise<Caller | undefined> | Caller | undefined,
    tenantUser: TenantUser | undefined,
  ): Promise<Response> {
    const sent = await readSent(c, route);
    const work: (() => Promise<unknown>)[] = [];
    const connection = c.get("connection");
    const key = route.method === "post" ? c.req.header("idempotency-key") : undefined;
    const claimant = await (key === undefined ? undefined : caller);
    const claim =
      key === undefined || claimant === undefined
        ? undefined
        : { key, caller: claimant, sealedWith: route.confidential ? doorKeysOf(settings) : undefined };
    const call: Call<Route> = {
      params: parse(route.params, c.req.param(), "path"),
      query: parse(route.query, c.req.query(), "query"),
      body: route.body === undefined ? undefined : parse(route.body, parseJson(sent), "body"),
      bytes: sent,
      caller: (tenantUser ?? caller) as Caller,
      db: connection.db,
      settings,
      env: c.env,
      request: c.req.raw,
      origin: c.get("origin"),
      nonce: c.get("secureHeadersNonce") ?? "",
      expected: route.versioned ? expectedVersions(c.req.header("if-match")) : undefined,
      release: async () => {
        connection.actOutside();
        if (claim === undefined) await connection.commit();
      },
      actOutside: () => connection.actOutside(),
      inNewTransaction: async (queries) => runInNewTransaction(c, await caller, queries),
      runAfterCommit: (one) => void work.push(one),
    };
    if (claim !== undefined) {
      const first = await claimKey(connection.db, claim, identityOf(c, sent));
      if (first !== undefined) return answered(c, first, { "idempotency-replayed": "true" });
    }
    const handled: unknown = await handler(call);
    const user = isBelowConsole ? await caller : undefined;
    const body = user === undefined || handled instanceof Response ? handled : tenantView(handled, user);
    const answer = { status: route.status ?? (route.answer === undefined ? 204 : 200), body };
    if (claim !== undefined) await keepAnswer(connection.db, claim, answer);
    // A read commits while its response is sent.
    if (route.method !== "get") await connection.commit();
    for (const one of work) c.executionCtx.waitUntil(one());
    return body instanceof Response ? body : answered(c, answer);
  }
}

/** A download is recorded as a change, although a browser opens it as a link. @throws Failure `forbidden` or `limit_exceeded` */
function requireDownloadable(request: Request, caller: Caller | undefined): void {
  if (isForeign(request)) throw failure(requestErrors.foreign_origin);
  if (caller?.tenant === undefined) return;
  if (caller.tenant.readOnly) throw failure(consoleErrors.console_view_read_only);
  limitChanges({ slug: caller.tenant.slug, email: caller.email });
}

/** @throws Failure `access_denied` for a user without access, and `forbidden` without the role */
async function callerOf(c: AppContext, route: Route): Promise<Caller | undefined> {
  if (!admitsRoots(route.callers)) return undefined;
  const caller = await c.get("caller");
  if (!route.callers.includes(caller.role)) {
    throw failure(requestErrors.platform_root_required);
  }
  return caller;
}

/** @throws Failure `authentication_required`, `access_denied`, `forbidden` or `limit_exceeded` */
async function tenantUserOf(c: AppContext, roles: readonly TenantRole[], settings: Settings): Promise<TenantUser> {
  const { db } = c.get("connection");
  return callingTenantUser(db, settings, { slug: c.req.param("slug") ?? "", roles, request: c.req.raw });
}

async function runInNewTransaction<T>(
  c: AppContext,
  caller: Caller | undefined,
  work: (db: Kysely<DB>) => Promise<T>,
): Promise<T> {
  const connection = new Connection(c.env.DB);
  const gone = () => failure(serviceErrors.access_ended);
  try {
    if (caller !== undefined) {
      const now = await enterAgain(connection, caller, { ...c.get("origin"), source: "" });
      if (now?.id !== caller.id || now.partnerId !== caller.partnerId || now.role !== caller.role) throw gone();
    }
    const result = await work(connection.db);
    // A user who was deleted meanwhile saw no rows, which must not look like the end of the data.
    if (caller !== undefined && !(await callerExists(connection.db))) throw gone();
    await connection.commit();
    return result;
  } finally {
    c.executionCtx.waitUntil(connection.close().catch(() => undefined));
  }
}

function enterAgain(connection: Connection, { email, tenant }: Caller, origin: Origin): Promise<Caller | undefined> {
  if (tenant === undefined) return connection.enter(email, origin);
  const { slug, serviceToken, readOnly: isViewer } = tenant;
  return connection.enterTenant({ slug, email, serviceToken, isViewer }, origin);
}

const versioned = z.object({ version: z.number() });

function answered(c: AppContext, { status, body }: FirstAnswer, headers: Record<string, string> = {}): Response {
  const read = versioned.safeParse(body);
  if (read.success) headers.etag = entityTag(read.data.version);
  return status === 204 ? c.body(null, 204, headers) : c.json(body ?? null, status as 200, headers);
}

/** Two requests with the same identity are the same. */
function identityOf(c: AppContext, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${c.req.method} ${c.req.path}\n`);
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
}

/** @throws Failure for a body of an unsupported type or size */
async function readSent(c: AppContext, route: Route): Promise<Uint8Array<ArrayBuffer>> {
  const { upload } = route;
  if (upload === undefined && route.body === undefined) return new Uint8Array();
  const most = upload?.maxBytes ?? MAX_BODY_BYTES;
  if (upload?.streams) {
    if (Number(c.req.header("content-length") ?? 0) > most)
      throw failure(requestErrors.body_too_large, { bytes: most });
    return new Uint8Array();
  }
  const body = await readBody(c.req.raw, most);
  const json = /^application\/json\b/i.test(c.req.header("content-type") ?? "");
  if (upload === undefined && body.length > 0 && !json) {
    throw failure(requestErrors.body_not_sent_as_json);
  }
  return body;
}

function parse<S extends z.ZodType | undefined>(
  schema: S,
  value: unknown,
  where: "body" | "path" | "query",
): Parsed<S> {
  if (schema === undefined) return undefined as Parsed<S>;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as Parsed<S>;
  const { fieldErrors, formErrors } = z.flattenError(parsed.error);
  const details = formErrors.length > 0 ? { ...fieldErrors, [where]: formErrors } : fieldErrors;
  throw invalidInput(where, details);
}
