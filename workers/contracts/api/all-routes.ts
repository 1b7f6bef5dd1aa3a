/** Every route of the control plane, by the entity it is about. */
import { aiGatewayRoutes } from "./ai-gateways.ts";
import { auditRoutes } from "./audit.ts";
import { clientRoutes } from "./clients.ts";
import { partnerRoutes } from "./partners.ts";
import { referenceRoutes } from "./reference.ts";
import type { Routes } from "./route.ts";
import { userRoutes } from "./users.ts";

export const allRoutes: readonly Routes[] = [
  clientRoutes,
  userRoutes,
  aiGatewayRoutes,
  partnerRoutes,
  auditRoutes,
  referenceRoutes,
];
