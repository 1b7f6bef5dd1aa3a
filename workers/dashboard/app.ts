import { Hono } from "hono";
import { NONCE, secureHeaders } from "hono/secure-headers";
import { pingDatabase } from "#database/connection/ping.ts";
import { CONSOLE_PATH, INVITATIONS_PATH, LOGOS_PATH } from "#domain/access/access-addresses.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { serviceErrors } from "#domain/errors/api/service.ts";
import { stateError } from "#domain/errors/stated.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { dropBody } from "#workers/shared/bounded-body.ts";
import { serveVendorOrders } from "./api/channels/vendor-orders.ts";
import { serveSigning } from "./api/notifications/signing.ts";
import { serveApi } from "./api/served-routes.ts";
import { serveConsole } from "./console/routes.ts";
import type { Settings } from "./env.ts";
import { Connection, type Origin } from "./http/connection.ts";
import { databaseFault, isAway } from "./http/database-faults.ts";
import { failure, failureResponse, NotAdmitted } from "./http/failure.tsx";
import { markLost } from "./http/lost-connections.ts";
import { limitNetworks } from "./http/network-limit.ts";
import { ownHeaders } from "./http/own-headers.ts";
import type { Caller } from "./identity/caller.ts";
import { Login } from "./identity/login.ts";
import { serveInvitations } from "./invitations/routes.tsx";
import { serveUnsubscribing } from "./invitations/unsubscribe/routes.tsx";
import { serveListening, servePush, serveTenantListening } from "./live/routes.ts";
import { servePages } from "./page/pages.ts";
import type { App, Types } from "./variables.ts";

/** @param forms allowed targets of forms */
const headersFor = (forms: "'none'" | "'self'") =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: [NONCE],
      imgSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: [forms],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: "DENY",
    referrerPolicy: "no-referrer",
  });

/** Rate limit by network, independent of tokens, so that a refusal reveals nothing about a token. */
const INVITATIONS = { burst: 30, perSecond: 0.2 };
/** Rate limit by network, enough for an office that opens mails at the same time. */
const LOGOS = { burst: 100, perSecond: 1 };
/** Rate limit by network, before any decryption or query: enough for an office whose pages follow events. */
const CONSOLE = { burst: 600, perSecond: 20 };

const isInvitation = (path: string) => path.startsWith(`${INVITATIONS_PATH}/`);

export function createApp(settings: Settings): App {
  const app: App = new Hono<Types>();
  const login = new Login(settings);
  app.onError((error, c) => {
    // Undefined before the connection exists.
    const { mayHaveEffect = false } = c.get("connection") ?? {};
    markLost(c.req.raw, error, mayHaveEffect);
    const fault = databaseFault(error, { isChange: mayHaveEffect && c.req.method !== "GET" });
    return failureResponse(fault instanceof Error ? fault : error, c);
  });
  app.notFound((c) => failureResponse(failure(requestErrors.address_not_found), c));
  // After the transaction has ended, so that a slow client holds no connection.
  app.use(async (c, next) => {
    await next();
    if (!c.res.ok) await dropBody(c.req.raw);
  });
  app.use(ownHeaders);
  const [formless, withForm] = [headersFor("'none'"), headersFor("'self'")];
  app.use((c, next) => (isInvitation(c.req.path) ? withForm : formless)(c, next));
  app.use(`${INVITATIONS_PATH}/*`, limitNetworks(INVITATIONS));
  app.use(`${LOGOS_PATH}/*`, limitNetworks(LOGOS));
  app.use(`${CONSOLE_PATH}/*`, limitNetworks(CONSOLE));
  servePush(app, settings);
  serveVendorOrders(app, settings);
  serveSigning(app, settings);
  app.use(async (c, next) => {
    const connection = new Connection(c.env.DB);
    c.set("connection", connection);
    c.set("origin", {
      source: c.req.header("cf-connecting-ip") ?? "",
      requestId: c.req.header("cf-ray") ?? crypto.randomUUID(),
    });
    try {
      await next();
      // Hono has already turned an error into a response; the transaction is rolled back.
      const { error } = c;
      const ended = error === undefined ? connection.commit() : isAway(error) ? undefined : connection.rollback();
      // The end of a read's transaction does not change the response.
      if (c.req.method === "GET") ended?.catch(() => undefined);
      else await ended;
    } finally {
      c.executionCtx.waitUntil(connection.close());
    }
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
  });

  app.get("/healthz", async (c) => {
    try {
      await pingDatabase(c.get("connection").db);
      return c.json({ ok: true });
    } catch {
      return errorResponse(serviceErrors.database_not_available);
    }
  });

  serveApi(app, settings, "public");
  serveInvitations(app, settings);
  serveUnsubscribing(app);
  serveConsole(app, settings);
  serveTenantListening(app, settings);
  app.all(`${CONSOLE_PATH}/*`, () => {
    throw failure(requestErrors.address_not_found);
  });

  app.use(async (c, next) => {
    const email = await login.email(c.req.raw.headers, (work) => c.executionCtx.waitUntil(work));
    const caller = enter(c.get("connection"), email, c.get("origin"));
    caller.catch(() => undefined);
    c.set("caller", caller);
    await next();
    // Reads run concurrently with this query, but respond only once the caller is known.
    await caller;
  });

  servePages(app, settings);
  serveListening(app);
  serveApi(app, settings, "private");
  return app;
}

/** @throws NotAdmitted if the address does not belong to a user */
async function enter(connection: Connection, email: string, origin: Origin): Promise<Caller> {
  const caller = await connection.enter(email, origin);
  if (caller !== undefined) return caller;
  throw new NotAdmitted(email, stateError(serviceErrors.not_a_dashboard_user));
}
