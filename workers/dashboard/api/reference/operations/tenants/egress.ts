import { type Egress, type EgressTraffic, egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { IDS, ROOT_EMAIL } from "../examples.ts";
import { section } from "../section.ts";

const params = { instance_id: IDS.instance } as const;
const ofPartner = { partner_id: IDS.partner } as const;
const policy = {
  mode: "allowlist" as const,
  entries: [{ host: "api.github.com" }, { host: "*.example.com", ports: [443] }],
};
const audit = { mode: "audit" as const, entries: [] };

export const egress: Egress = {
  mode: "allowlist",
  layers: { plan: { mode: "open", entries: [] }, platform: null, partner: audit, tenant: policy },
  state: "pushing",
  last_error: null,
  pushed_at: "2026-11-03T07:20:02.000Z",
  version: 4,
};

const traffic: EgressTraffic = {
  host: "pypi.org",
  port: 443,
  program: "pip",
  requests: 12,
  refused: 0,
  sent_bytes: 3_400,
  received_bytes: 812_000,
  first_at: "2026-11-03T07:25:00.000Z",
  last_at: "2026-11-03T09:12:41.000Z",
  reason: null,
};
export const egressHosts = { mode: "audit" as const, restart_required: false, gaps: [], data: [traffic] };
const { host, port, program, requests, last_at } = traffic;
export const losses = [{ host, port, program, requests, last_at, reason: "not-listed" as const }];

export const secret = {
  id: IDS.egressSecret,
  instance_id: IDS.instance,
  name: "GitHub",
  host: "api.github.com",
  header: "authorization",
  created_by: ROOT_EMAIL,
  created_at: "2026-11-03T07:20:00.000Z",
};
export const TENANT_CONFLICT =
  "The tenant has no Worker, or its Worker is of an earlier version without egress policies. Redeploy it.";

export const SECRET_CONFLICT = "Another secret has this host and header, or the instance has 50 secrets.";
export const newSecret = {
  name: "GitHub",
  host: "api.github.com",
  header: "authorization",
  prefix: "Bearer ",
  value: "ghp_EXAMPLE0123456789",
};

export const egressSection = section(
  egressRoutes,
  "Egress",
  "What a tenant's container may reach. The plan, the platform, the partner and the tenant each state a policy or none. The strictest mode holds, and a request must be allowed by each policy with the mode `allowlist`, so that a policy can only be stricter than those above it.",
  {
    getEgress: {
      description:
        "Returns the policies of an instance, the mode that follows from them, and whether the tenant has them.",
      params,
      answer: { ...egress, state: "active" },
    },
    putEgress: {
      description:
        "Replaces the policy of the tenant, and sends it by a job. It holds for a running container within seconds. Hosts are stored in lower case and in punycode. A policy that matches everything, or that blocks a connected channel, is refused. With `preview=true` nothing is stored.",
      params,
      query: { preview: "true" },
      body: { policy },
      answer: { ...egress, would_refuse: losses },
      errors: { conflict: `Only of a preview: ${TENANT_CONFLICT}` },
    },
    listEgressHosts: {
      description:
        "Returns the hosts that the container reached or tried to reach, as its Worker recorded them. The mode `open` records refusals only.",
      params,
      answer: egressHosts,
      errors: { conflict: TENANT_CONFLICT },
    },
    createEgressAllowlist: {
      description:
        "Returns the tenant's policy as an allowlist that also has the recorded hosts that were allowed and the hosts of connected channels. With `store` it becomes the tenant's policy.",
      params,
      body: { store: true },
      answer: { policy, stored: egress },
      errors: { conflict: TENANT_CONFLICT },
    },
    getPartnerEgress: {
      description: "Returns the policy of a partner, which binds the tenants of all its clients.",
      params: ofPartner,
      answer: { partner_id: IDS.partner, policy: audit, managed_by: "dashboard", declared_in: null, version: 3 },
    },
    putPartnerEgress: {
      description:
        "Replaces the policy of a partner, and sends it to the tenants of all its clients by one job each. A policy that blocks a connected channel of one of them is refused.",
      params: ofPartner,
      body: { policy: audit },
      answer: { partner_id: IDS.partner, policy: audit, managed_by: "dashboard", declared_in: null, version: 3 },
    },
    listEgressSecrets: {
      description: "Returns the secrets of an instance by name, without their values.",
      params,
      answer: { data: [secret] },
    },
    createEgressSecret: {
      description:
        "Stores a secret encrypted, and sends it to the tenant by a job. The tenant's Worker adds it as a header to the container's HTTPS requests to one host, so that the container does not have it. A secret with the same name is replaced.",
      params,
      body: newSecret,
      answer: secret,
      errors: { conflict: SECRET_CONFLICT },
    },
    deleteEgressSecret: {
      description: "Deletes a secret, and removes it from the tenant by a job.",
      params: { ...params, secret_id: IDS.egressSecret },
    },
  },
);
