/** The dashboard Worker, served on `dash.{domain}` and `dev-dash.{domain}` behind Access. */
import { serviceErrors } from "#domain/errors/api/service.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { createApp } from "./app.ts";
import { type Env, parseSettings } from "./env.ts";
import { serveRepeatedly } from "./http/lost-connections.ts";
import type { App } from "./variables.ts";

export { Live } from "./live/live.ts";

let app: App | undefined;

export default {
  fetch(request, env, context) {
    try {
      app ??= createApp(parseSettings(env));
    } catch (error) {
      const id = crypto.randomUUID();
      log("error", "worker.misconfigured", { id, reason: reasonOf(error) });
      return errorResponse(serviceErrors.dashboard_misconfigured, { id });
    }
    const ready = app;
    return serveRepeatedly(request, (sent) => ready.fetch(sent, env, context));
  },
} satisfies ExportedHandler<Env>;
