/** By table name. A later release may have more. */
const NAMES: Readonly<Record<string, string>> = {
  clients: "client",
  instances: "instance",
  doors: "door",
  channels: "channel",
  inbox: "inbox",
  state: "files and backups",
  provider_keys: "provider key",
  egress_secrets: "egress secret",
  service_tokens: "service token",
  console: "view of the console",
  jobs: "job",
  incidents: "incident",
  client_users: "client's user",
  client_user_instances: "user's instance",
  client_subdivisions: "subdivision",
  client_user_subdivisions: "user's subdivision",
  users: "person",
  dashboard_users: "dashboard user",
  partners: "partner",
  partner_domains: "partner's domain",
  ai_gateways: "AI gateway",
  images: "image",
  rollouts: "rollout",
  credit_pools: "credit",
  credit_entries: "credit entry",
  invoices: "invoice",
  prices: "price",
};

/** For the client's own administrators, where a name differs. */
const TENANT_NAMES: Readonly<Record<string, string>> = {
  clients: "account",
  client_users: "user",
  client_user_instances: "access of user",
  credit_entries: "booking",
  doors: "webhook",
  egress_secrets: "network secret",
  inbox: "waiting messages",
  instances: "agent",
};

export const auditEntities = Object.keys(NAMES);

export const entityName = (entity: string, isForTenant = false): string =>
  (isForTenant ? TENANT_NAMES[entity] : undefined) ?? NAMES[entity] ?? entity.replaceAll("_", " ");
