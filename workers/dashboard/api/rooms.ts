/** Every entity's routes with what they do. */
import { analyticsRoutes } from "../../contracts/api/analytics.ts";
import { clientRoutes } from "../../contracts/api/clients.ts";
import type { Settings } from "../env.ts";
import { serveAll } from "../http/serve.ts";
import type { App } from "../variables.ts";
import { analyticsHandlers } from "./analytics/handlers.ts";
import { clientHandlers } from "./clients/handlers.ts";

export function serveApi(app: App, settings: Settings): void {
  serveAll(app, settings, clientRoutes, clientHandlers);
  serveAll(app, settings, analyticsRoutes, analyticsHandlers);
}
