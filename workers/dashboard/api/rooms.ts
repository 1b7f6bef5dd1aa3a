/** Every entity's routes with what they do. */
import { clientRoutes } from "../../contracts/api/clients.ts";
import { incidentRoutes } from "../../contracts/api/incidents.ts";
import { instanceRoutes } from "../../contracts/api/instances.ts";
import { jobRoutes } from "../../contracts/api/jobs.ts";
import type { Settings } from "../env.ts";
import { serveAll } from "../http/serve.ts";
import type { App } from "../variables.ts";
import { clientHandlers } from "./clients/handlers.ts";
import { incidentHandlers } from "./incidents/handlers.ts";
import { instanceHandlers } from "./instances/handlers.ts";
import { jobHandlers } from "./jobs/handlers.ts";

export function serveApi(app: App, settings: Settings): void {
  serveAll(app, settings, clientRoutes, clientHandlers);
  serveAll(app, settings, instanceRoutes, instanceHandlers);
  serveAll(app, settings, jobRoutes, jobHandlers);
  serveAll(app, settings, incidentRoutes, incidentHandlers);
}
