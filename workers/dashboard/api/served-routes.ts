/** Serves every entity's routes. */

import { analyticsRoutes } from "#workers/contracts/api/analytics.ts";
import { auditRoutes } from "#workers/contracts/api/audit.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { capacityRoutes } from "#workers/contracts/api/capacity.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import { sessionRoutes } from "#workers/contracts/api/people/session.ts";
import { userRoutes } from "#workers/contracts/api/people/users.ts";
import { referenceRoutes } from "#workers/contracts/api/reference.ts";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import type { Settings } from "../env.ts";
import { type Side, serveAll } from "../http/serve.ts";
import type { App } from "../variables.ts";
import { aiGatewayHandlers } from "./ai-gateways/handlers.ts";
import { analyticsHandlers } from "./analytics/handlers.ts";
import { auditHandlers } from "./audit/handlers.ts";
import { billingHandlers } from "./billing/handlers.ts";
import { capacityHandlers } from "./capacity/handlers.ts";
import { clientUserHandlers } from "./client-users/handlers.ts";
import { clientHandlers } from "./clients/handlers.ts";
import { imageHandlers } from "./images/handlers.ts";
import { incidentHandlers } from "./incidents/handlers.ts";
import { instanceHandlers } from "./instances/handlers.ts";
import { jobHandlers } from "./jobs/handlers.ts";
import { partnerHandlers } from "./partners/handlers.ts";
import { referenceHandlers } from "./reference/handlers.tsx";
import { rolloutHandlers } from "./rollouts/handlers.ts";
import { serviceTokenHandlers } from "./service-tokens/handlers.ts";
import { sessionHandlers } from "./session/handlers.ts";
import { userHandlers } from "./users/handlers.ts";

export function serveApi(app: App, settings: Settings, side: Side): void {
  serveAll(app, settings, side, sessionRoutes, sessionHandlers);
  serveAll(app, settings, side, clientRoutes, clientHandlers);
  serveAll(app, settings, side, userRoutes, userHandlers);
  serveAll(app, settings, side, aiGatewayRoutes, aiGatewayHandlers);
  serveAll(app, settings, side, partnerRoutes, partnerHandlers);
  serveAll(app, settings, side, auditRoutes, auditHandlers);
  serveAll(app, settings, side, referenceRoutes, referenceHandlers);
  serveAll(app, settings, side, analyticsRoutes, analyticsHandlers);
  serveAll(app, settings, side, instanceRoutes, instanceHandlers);
  serveAll(app, settings, side, jobRoutes, jobHandlers);
  serveAll(app, settings, side, incidentRoutes, incidentHandlers);
  serveAll(app, settings, side, clientUserRoutes, clientUserHandlers);
  serveAll(app, settings, side, serviceTokenRoutes, serviceTokenHandlers);
  serveAll(app, settings, side, billingRoutes, billingHandlers);
  serveAll(app, settings, side, capacityRoutes, capacityHandlers);
  serveAll(app, settings, side, imageRoutes, imageHandlers);
  serveAll(app, settings, side, rolloutRoutes, rolloutHandlers);
}
