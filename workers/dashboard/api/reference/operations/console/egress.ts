import { consoleEgressRoutes } from "#workers/contracts/api/console/egress.ts";
import { clientUser, IDS } from "../examples.ts";
import { section } from "../section.ts";
import { egress, egressHosts, losses, newSecret, SECRET_CONFLICT, secret, TENANT_CONFLICT } from "../tenants/egress.ts";

const params = { slug: "acme" } as const;
const policy = egress.layers.tenant;
const own = { ...secret, created_by: clientUser.email };

export const consoleEgressSection = section(
  consoleEgressRoutes,
  "Console: egress",
  "An ADMIN of a tenant reads what the container may reach and reached, and states the tenant's policy and secrets, as an operator does.",
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
    listConsoleEgressSecrets: {
      description:
        "Returns the secrets of the tenant by name, without their values. `created_by` is `operator` for a secret that an operator stored.",
      params,
      answer: { data: [own] },
    },
    createConsoleEgressSecret: {
      description:
        "Stores a secret encrypted, and sends it to the tenant by a job. The tenant's Worker adds it as a header to the container's HTTPS requests to one host. A secret with the same name is replaced.",
      params,
      body: newSecret,
      answer: own,
      errors: { conflict: SECRET_CONFLICT },
    },
    deleteConsoleEgressSecret: {
      description: "Deletes a secret, and removes it from the tenant by a job.",
      params: { ...params, secret_id: IDS.egressSecret },
    },
  },
);
