import type { HttpBindings } from "@hono/node-server";
import { equalSecrets } from "@tenantry/std/same-secret";
import { Hono } from "hono";
import * as z from "zod";
import type { Access } from "../access/access.ts";
import type { AiGateway } from "../ai-gateway/ai-gateway.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { EdgeExtension } from "./extension.ts";

interface ControlParts {
  api: Hono<{ Bindings: HttpBindings }>;
  aiGateway: AiGateway;
  access: Access;
  runtime: Runtime;
  /** The account's registry of images. */
  registry: Hono;
  token: string;
  /** Default: none. */
  extension?: Pick<EdgeExtension, "routes" | "guarded"> | undefined;
}

const tokenRequest = z.object({ email: z.email(), host: z.string().min(1) });
const scheduledRequest = z.object({ script: z.string(), cron: z.string(), at: z.number().int().optional() });

/**
 * Creates the routes on the edge's own address: the Cloudflare API, AI gateways and routes of an extension, which check their own
 * credentials, and `/local`, which requires the API token.
 */
export function createControl({
  api,
  aiGateway,
  access,
  runtime,
  registry,
  token,
  extension,
}: ControlParts): Hono<{ Bindings: HttpBindings }> {
  const guarded = new Hono();
  guarded.use(async (context, next) => {
    if (!equalSecrets(context.req.header("authorization") ?? "", `Bearer ${token}`)) {
      const message = "send the API token of the edge as bearer token";
      return context.json({ error: { code: "authentication_required", message } }, 401);
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
  guarded.post("/local/scheduled", async (context) => {
    const request = scheduledRequest.safeParse(await context.req.json().catch(() => undefined));
    if (!request.success) {
      return context.json({ error: { code: "invalid_request", message: "send { script, cron, at? }" } }, 400);
    }
    const { script, cron, at } = request.data;
    await runtime.scheduled(script, cron, at ?? Date.now());
    return context.json({ ok: true });
  });

  const control = new Hono<{ Bindings: HttpBindings }>();
  control.route("/client/v4", api);
  control.route("/v2", registry);
  control.all("/ai-gateway/*", (context) => aiGateway(context.req.raw));
  for (const [path, routes] of Object.entries(extension?.routes ?? {})) control.route(path, routes);
  if (extension?.guarded !== undefined) guarded.route("/", extension.guarded);
  control.route("/", guarded);
  const paths = ["/client/v4", "/ai-gateway", "/v2", ...Object.keys(extension?.routes ?? {})].join(", ");
  const message = `the edge serves ${paths} and /local here`;
  control.notFound((context) => context.json({ error: { code: "not_found", message } }, 404));
  return control;
}
