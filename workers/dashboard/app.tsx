/** The dashboard's HTTP interface. */
import { Hono } from "hono";
import { NONCE, secureHeaders } from "hono/secure-headers";
import { sql } from "kysely";
import * as z from "zod";
import { errorResponse } from "../contracts/errors.ts";
import { requireCaller } from "./caller.ts";
import { toClientListBody } from "./client-body.ts";
import { type PageQuery, pageQuery, readClientPage } from "./client-page.ts";
import { ClientsView } from "./clients-view.tsx";
import type { Caller } from "./dashboard-users.ts";
import { openDatabase } from "./database.ts";
import type { Env, Settings } from "./env.ts";
import { answerFailure, Failure } from "./failure.tsx";
import type { Variables } from "./variables.ts";

export function createApp(settings: Settings): Hono<{ Bindings: Env; Variables: Variables }> {
  const app = new Hono<{ Bindings: Env; Variables: Variables }>();
  app.onError(answerFailure);
  app.notFound((c) => answerFailure(new Failure("not_found", "There is nothing at this address."), c));
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: [NONCE],
        imgSrc: ["'self'", "data:"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
      xFrameOptions: "DENY",
      referrerPolicy: "no-referrer",
    }),
  );
  app.use(async (c, next) => {
    const db = openDatabase(c.env.DB);
    c.set("db", db);
    try {
      await next();
    } finally {
      c.executionCtx.waitUntil(db.destroy());
    }
    c.header("cache-control", "no-store");
  });

  app.get("/healthz", async (c) => {
    try {
      await sql`select 1`.execute(c.get("db"));
      return c.json({ ok: true });
    } catch {
      return errorResponse("tenant_unavailable", "The database does not answer.");
    }
  });

  app.use(requireCaller(settings));

  const scopeOf = ({ partnerId }: Caller) => ({ environment: settings.ENVIRONMENT, partnerId });

  app.get("/", async (c) => {
    const caller = c.get("caller");
    const page = await readClientPage(c.get("db"), scopeOf(caller), readPageQuery(c.req.query()));
    const place = { url: new URL(c.req.url), domain: settings.PLATFORM_DOMAIN };
    return c.html(<ClientsView {...page} caller={caller} place={place} nonce={c.get("secureHeadersNonce") ?? ""} />);
  });

  app.get("/client", async (c) => {
    const page = await readClientPage(c.get("db"), scopeOf(c.get("caller")), readPageQuery(c.req.query()));
    return c.json(toClientListBody(page));
  });
  return app;
}

function readPageQuery(query: Record<string, string>): PageQuery {
  const parsed = pageQuery.safeParse(query);
  if (parsed.success) return parsed.data;
  throw new Failure(
    "invalid_request",
    "The query holds values that cannot be.",
    z.flattenError(parsed.error).fieldErrors,
  );
}
