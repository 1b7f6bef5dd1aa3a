import { analyticsSection } from "./analytics.ts";
import { auditSection } from "./audit.ts";
import { billingSection } from "./billing.ts";
import { capacitySection } from "./capacity.ts";
import { consoleSection } from "./console/tokens.ts";
import { jobSection } from "./jobs.ts";
import { modelCallSection } from "./model-calls.ts";
import { clientUserSection } from "./people/client-users.ts";
import { notificationSection } from "./people/notifications.ts";
import { partnerSection } from "./people/partners.ts";
import { serviceTokenSection } from "./people/service-tokens.ts";
import { sessionSection } from "./people/session.ts";
import { userSection } from "./people/users.ts";
import { referenceSection } from "./reference.ts";
import type { Section } from "./section.ts";
import { aiGatewaySection } from "./tenants/ai-gateways.ts";
import { channelSection } from "./tenants/channels.ts";
import { clientSection } from "./tenants/clients.ts";
import { deviceSection } from "./tenants/devices.ts";
import { doctorSection } from "./tenants/doctor.ts";
import { doorSection } from "./tenants/doors.ts";
import { egressSection } from "./tenants/egress.ts";
import { erasureSection } from "./tenants/erasures.ts";
import { incidentSection } from "./tenants/incidents.ts";
import { instanceDataSection } from "./tenants/instance-data.ts";
import { instanceSection } from "./tenants/instances.ts";
import { providerKeySection } from "./tenants/provider-keys.ts";
import { versionSection } from "./tenants/versions.ts";

/** The whole API in reading order. */
export const sections: readonly Section[] = [
  sessionSection,
  clientSection,
  erasureSection,
  instanceSection,
  instanceDataSection,
  deviceSection,
  doctorSection,
  doorSection,
  channelSection,
  providerKeySection,
  modelCallSection,
  egressSection,
  jobSection,
  clientUserSection,
  serviceTokenSection,
  notificationSection,
  consoleSection,
  userSection,
  partnerSection,
  incidentSection,
  billingSection,
  analyticsSection,
  aiGatewaySection,
  versionSection,
  capacitySection,
  auditSection,
  referenceSection,
];
