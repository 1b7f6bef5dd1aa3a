/** Every route of the control plane's API. */
import { analyticsRoutes } from "./analytics.ts";
import { auditRoutes } from "./audit.ts";
import { billingRoutes } from "./billing-routes.ts";
import { capacityRoutes } from "./capacity.ts";
import { consoleTokenRoutes } from "./console/tokens.ts";
import { instanceDataRoutes } from "./instances/instance-data.ts";
import { instanceRoutes } from "./instances/instances.ts";
import { jobRoutes } from "./jobs.ts";
import { modelCallRoutes } from "./model-calls.ts";
import { clientUserRoutes } from "./people/invitations.ts";
import { notificationRoutes } from "./people/notifications.ts";
import { partnerRoutes } from "./people/partners.ts";
import { serviceTokenRoutes } from "./people/service-tokens.ts";
import { sessionRoutes } from "./people/session.ts";
import { userRoutes } from "./people/users.ts";
import { referenceRoutes } from "./reference.ts";
import type { Routes } from "./route.ts";
import { aiGatewayRoutes } from "./tenants/ai-gateways.ts";
import { channelRoutes } from "./tenants/channels.ts";
import { clientRoutes } from "./tenants/clients.ts";
import { deviceRoutes } from "./tenants/devices.ts";
import { doctorRoutes } from "./tenants/doctor.ts";
import { doorRoutes } from "./tenants/doors.ts";
import { egressRoutes } from "./tenants/egress.ts";
import { erasureRoutes } from "./tenants/erasures.ts";
import { imageRoutes } from "./tenants/images.ts";
import { incidentRoutes } from "./tenants/incidents.ts";
import { providerKeyRoutes } from "./tenants/provider-keys.ts";
import { rolloutRoutes } from "./tenants/rollouts.ts";

export const allRoutes: readonly Routes[] = [
  clientRoutes,
  erasureRoutes,
  clientUserRoutes,
  serviceTokenRoutes,
  notificationRoutes,
  consoleTokenRoutes,
  instanceRoutes,
  instanceDataRoutes,
  deviceRoutes,
  doctorRoutes,
  channelRoutes,
  doorRoutes,
  providerKeyRoutes,
  modelCallRoutes,
  egressRoutes,
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
