/** The edge's routes on its own address: the Cloudflare API, AI gateways, the database's REST layer, captured mail and edge control. */

import { sameSecret } from "@tenantry/std/same-secret";
import { Hono } from "hono";
import * as z from "zod";
import type { Access } from "../access/access.ts";
import type { AiGateway } from "../ai-gateway/ai-gateway.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { type RestartService, SERVICE_RESTART_PATH, serviceRestart } from "./service-restart.ts";

export interface ControlParts {
  api: Hono;
  aiGateway: AiGateway;
  rest: Hono;
  /** Changes the keys of the REST layer. @throws Error when it refuses them */
  setRestKeys: (keys: RestKeysRequest) => void;
  /** Default: no automation service runs beside the edge. */
  restartService?: RestartService | undefined;
  mail: Hono;
  access: Access;
  runtime: Runtime;
  /** Bearer token of `/local/*`. */
  token: string;
}

const tokenRequest = z.object({ email: z.email(), host: z.string().min(1) });
/** A secret, or a JWK Set, that verifies tokens; or the API keys of which calls must carry one. */
const restKeysRequest = z.union([
  z.strictObject({ jwtSecret: z.string() }),
  z.strictObject({ apiKeys: z.array(z.string().min(1)) }),
]);
type RestKeysRequest = z.infer<typeof restKeysRequest>;
const scheduledRequest = z.object({ script: z.string(), cron: z.string(), at: z.number().int().optional() });

/** The API, AI gateways, the REST layer and mail check their own credentials; everything else takes the edge's API token. */
export function createControl({
  api,
  aiGateway,
  rest,
  setRestKeys,
  restartService,
  mail,
  access,
  runtime,
  token,
}: ControlParts): Hono {
  const guarded = new Hono();
  guarded.use(async (context, next) => {
    if (!sameSecret(context.req.header("authorization") ?? "", `Bearer ${token}`)) {
      return context.json(
        { error: { code: "authentication_required", message: "send the apiToken of edge.json as bearer token" } },
        401,
      );
    }
    return next();
  });
  guarded.post("/local/token", async (context) => {
    const request = tokenRequest.safeParse(await context.req.json().catch(() => undefined));
    if (!request.success) {
      return context.json({ error: { code: "invalid_request", message: "send { email, host }" } }, 400);
    }
    try {
      return context.json({ token: await access.issue(request.data.email, request.data.host) });
    } catch (error) {
      return context.json({ error: { code: "access_denied", message: (error as Error).message } }, 403);
    }
  });
  guarded.put("/local/rest/keys", async (context) => {
    const request = restKeysRequest.safeParse(await context.req.json().catch(() => undefined));
    if (!request.success) {
      return context.json({ error: { code: "invalid_request", message: "send { jwtSecret } or { apiKeys }" } }, 400);
    }
    try {
      setRestKeys(request.data);
      return context.json({ ok: true });
    } catch (error) {
      return context.json({ error: { code: "invalid_request", message: (error as Error).message } }, 400);
    }
  });
  guarded.post(SERVICE_RESTART_PATH, async (context) => {
    const request = serviceRestart.safeParse(await context.req.json().catch(() => undefined));
    if (!request.success) {
      return context.json({ error: { code: "invalid_request", message: "send { stack, variables }" } }, 400);
    }
    if ((await restartService?.(request.data)) === true) return context.json({ ok: true });
    const message = `no automation service runs here for the stack ${request.data.stack}`;
    return context.json({ error: { code: "not_found", message } }, 404);
  });
  guarded.post("/local/scheduled", async (context) => {
    const request = scheduledRequest.safeParse(await context.req.json().catch(() => undefined));
    if (!request.success) {
      return context.json({ error: { code: "invalid_request", message: "send { script, cron, at? }" } }, 400);
    }
    const { script, cron, at } = request.data;
    await runtime.scheduled(script, cron, at ?? Date.now());
    return context.json({ ok: true });
  });

  const control = new Hono();
  control.route("/client/v4", api);
  control.all("/ai-gateway/*", (context) => aiGateway(context.req.raw));
  control.route("/rest/v1", rest);
  control.route("/mail", mail);
  control.route("/", guarded);
  control.notFound((context) =>
    context.json(
      {
        error: {
          code: "not_found",
          message: "the local edge serves /client/v4, /ai-gateway, /rest/v1, /mail and /local here",
        },
      },
      404,
    ),
  );
  return control;
}
