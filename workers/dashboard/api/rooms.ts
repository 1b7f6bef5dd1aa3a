/** Every entity's routes with what they do. */
import { aiGatewayRoutes } from "../../contracts/api/ai-gateways.ts";
import { clientRoutes } from "../../contracts/api/clients.ts";
import { userRoutes } from "../../contracts/api/users.ts";
import type { Settings } from "../env.ts";
import { type Side, serveAll } from "../http/serve.ts";
import type { App } from "../variables.ts";
import { aiGatewayHandlers } from "./ai-gateways/handlers.ts";
import { clientHandlers } from "./clients/handlers.ts";
import { userHandlers } from "./users/handlers.ts";

export function serveApi(app: App, settings: Settings, side: Side): void {
  serveAll(app, settings, side, clientRoutes, clientHandlers);
  serveAll(app, settings, side, userRoutes, userHandlers);
  serveAll(app, settings, side, aiGatewayRoutes, aiGatewayHandlers);
}
