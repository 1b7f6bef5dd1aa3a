/** Every route of the control plane, by the entity it is about. */
import { aiGatewayRoutes } from "./ai-gateways.ts";
import { analyticsRoutes } from "./analytics.ts";
import { auditRoutes } from "./audit.ts";
import { billingRoutes } from "./billing-routes.ts";
import { capacityRoutes } from "./capacity.ts";
import { clientRoutes } from "./clients.ts";
import { imageRoutes } from "./images.ts";
import { incidentRoutes } from "./incidents.ts";
import { instanceRoutes } from "./instances.ts";
import { clientUserRoutes } from "./invitations.ts";
import { jobRoutes } from "./jobs.ts";
import { partnerRoutes } from "./partners.ts";
import { referenceRoutes } from "./reference.ts";
import { rolloutRoutes } from "./rollouts.ts";
import type { Routes } from "./route.ts";
import { sessionRoutes } from "./session.ts";
import { userRoutes } from "./users.ts";

export const allRoutes: readonly Routes[] = [
  clientRoutes,
  clientUserRoutes,
  instanceRoutes,
  jobRoutes,
  incidentRoutes,
  userRoutes,
  aiGatewayRoutes,
  partnerRoutes,
  auditRoutes,
  analyticsRoutes,
  billingRoutes,
  capacityRoutes,
  imageRoutes,
  rolloutRoutes,
  sessionRoutes,
  referenceRoutes,
];
