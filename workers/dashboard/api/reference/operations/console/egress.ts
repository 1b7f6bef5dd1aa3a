import { consoleEgressRoutes } from "#workers/contracts/api/console/egress.ts";
import { section } from "../section.ts";
import { egress, egressHosts, losses, TENANT_CONFLICT } from "../tenants/egress.ts";

const params = { slug: "acme" } as const;
const policy = egress.layers.tenant;

export const consoleEgressSection = section(
  consoleEgressRoutes,
  "Console: egress",
  "An ADMIN of a tenant reads what the container may reach and reached, and states the tenant's policy, as an operator does.",
  {
    getConsoleEgress: {
      description:
        "Returns the policies of the tenant, the mode that follows from them, and whether the tenant has them.",
      params,
      answer: { ...egress, state: "active" },
    },
    putConsoleEgress: {
      description:
        "Replaces the policy of the tenant, and sends it by a job. It can only make the tenant's limits stricter than those of plan, platform and partner. With `preview=true` nothing is stored.",
      params,
      query: { preview: "true" },
      body: { policy },
      answer: { ...egress, would_refuse: losses },
      errors: { conflict: `Only of a preview: ${TENANT_CONFLICT}` },
    },
    listConsoleEgressHosts: {
      description: "Returns the hosts that the container reached or tried to reach, as its Worker recorded them.",
      params,
      answer: egressHosts,
      errors: { conflict: TENANT_CONFLICT },
    },
  },
);
