/** Every entity's routes with what they do. */
import { clientRoutes } from "../../contracts/api/clients.ts";
import { clientUserRoutes } from "../../contracts/api/invitations.ts";
import type { Settings } from "../env.ts";
import { serveAll } from "../http/serve.ts";
import type { App } from "../variables.ts";
import { clientUserHandlers } from "./client-users/handlers.ts";
import { clientHandlers } from "./clients/handlers.ts";

export function serveApi(app: App, settings: Settings): void {
  serveAll(app, settings, clientRoutes, clientHandlers);
  serveAll(app, settings, clientUserRoutes, clientUserHandlers);
}
