/**
 * The entities of all examples: the client `acme` of the partner `northwind`, its instance in production, and the people around them. Times follow
 * one story: the client is created, provisioned and activated on 2 November 2026.
 */

import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";
import type { ClientUser } from "#workers/contracts/api/people/invitations.ts";
import type { Partner, PartnerStyle } from "#workers/contracts/api/people/partners.ts";
import type { User } from "#workers/contracts/api/people/users.ts";
import type { AiGateway } from "#workers/contracts/api/tenants/ai-gateways.ts";
import type { Channel } from "#workers/contracts/api/tenants/channels.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import type { Door } from "#workers/contracts/api/tenants/doors.ts";
import type { Image, WorkerBundle } from "#workers/contracts/api/tenants/images.ts";
import type { Incident } from "#workers/contracts/api/tenants/incidents.ts";
import type { ProviderKey } from "#workers/contracts/api/tenants/provider-keys.ts";

export const DOMAIN = "agents.example.com";
export const ROOT_EMAIL = "rita@agents.example.com";

const CREATED = "2026-11-02T09:00:00.000Z";
export const PROVISIONED = "2026-11-02T09:04:30.000Z";
export const ACTIVATED = "2026-11-02T09:30:00.000Z";

export const IDS = {
  partner: "0d6a3c1e-52b7-4f0e-9c84-7a1f2e6b9d30",
  domain: "7b9e4a62-1c3d-4e8f-8a05-6d2b9f1c7e43",
  client: "3f8c2b6a-94d1-4e57-b0a3-5c7d8e9f0a12",
  instance: "c1d7e5f3-2a4b-4c6d-8e9f-0b1a2c3d4e5f",
  person: "a4b5c6d7-8e9f-4a0b-9c1d-2e3f4a5b6c7d",
  root: "e2f3a4b5-c6d7-4e8f-9a0b-1c2d3e4f5a6b",
  clientUser: "5e6f7a8b-9c0d-4e1f-a2b3-c4d5e6f7a8b9",
  serviceToken: "6f7a8b9c-0d1e-4f2a-b3c4-d5e6f7a8b9c0",
  pool: "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d",
  image: "6c5d4e3f-2a1b-4c0d-9e8f-7a6b5c4d3e2f",
  worker: "8f7e6d5c-4b3a-4291-8f0e-9d8c7b6a5f4e",
  provisionJob: "1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d",
  openJob: "2b3c4d5e-6f7a-4b8c-9d0e-1f2a3b4c5d6e",
  rollout: "4d5e6f7a-8b9c-4d0e-a1f2-3b4c5d6e7f8a",
  incident: "d0e1f2a3-b4c5-4d6e-8f7a-9b0c1d2e3f4a",
  channel: "5b4a3f2e-1d0c-4b9a-8f7e-6d5c4b3a2f1e",
  door: "7d6c5b4a-3f2e-4d1c-8b0a-9f8e7d6c5b4a",
  providerKey: "3c2d1e0f-9a8b-4c7d-8e6f-5a4b3c2d1e0f",
  egressSecret: "4d3e2f1a-0b9c-4d8e-9f7a-6b5c4d3e2f1a",
  erasure: "8a7b6c5d-4e3f-4a2b-9c1d-0e9f8a7b6c5d",
  message: "e9f0a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b",
  invoice: "b6c7d8e9-f0a1-4b2c-9d3e-4f5a6b7c8d9e",
} as const;

export const BACKUP_ID = "20261102T141500000Z-3f9a1c";

export const NORTHWIND = { id: IDS.partner, slug: "northwind", name: "Northwind Services" };
export const ACME = { id: IDS.client, slug: "acme", name: "Acme Corporation" };

/** Who changed an entity, when, and who manages it. */
const fromDashboard = { managed_by: "dashboard", declared_in: null } as const;
const timestamps = { created_at: CREATED, updated_at: ACTIVATED };

export const partner: Partner = { ...NORTHWIND, ...fromDashboard, clients: 1, ...timestamps, version: 2 };

export const partnerStyle: PartnerStyle = {
  partner_id: IDS.partner,
  display_name: "Northwind",
  colours: { text: "#16191d", background: "#ffffff", accent: "#0b57d0" },
  support_address: "help@northwind.example",
  logo_url: `/logos/${IDS.partner}?hash=9b1f0c7d`,
  version: 3,
};

export const client: Client = {
  ...ACME,
  billing_plan: "basic",
  status: "production",
  ...fromDashboard,
  partner: NORTHWIND,
  instance: {
    id: IDS.instance,
    status: "running",
    environment: "production",
    frozen_by: null,
    ai_gateway_id: "pool-a",
    ai_gateway_pooled: true,
  },
  delete_after: null,
  deletion_by: null,
  canary: false,
  maintenance_window: { days: [6, 7], start: "02:00", hours: 4, time_zone: "Europe/Berlin" },
  ...timestamps,
  version: 5,
};

/** The client before its instance exists. */
export const draftClient: Client = {
  ...client,
  status: "draft",
  instance: null,
  maintenance_window: null,
  updated_at: CREATED,
  version: 1,
};

const pooled = { id: "pool-a", pool_id: IDS.pool };

export const image: Image = {
  id: IDS.image,
  default: true,
  withdrawn_at: null,
  tenants: 12,
  created_at: "2026-10-20T08:00:00.000Z",
  updated_at: "2026-10-20T08:00:00.000Z",
  version: 1,
  reference: `registry.example.com/openclaw@sha256:${"4e1d".repeat(16)}`,
  gateway: "openclaw",
  gateway_version: "2026.9.6",
  note: "Fixes reconnects of Slack channels.",
  release_notes: "Slack channels reconnect after a network failure.",
};

export const workerBundle: WorkerBundle = {
  id: IDS.worker,
  default: true,
  withdrawn_at: null,
  tenants: 12,
  created_at: "2026-10-20T08:00:00.000Z",
  updated_at: "2026-10-20T08:00:00.000Z",
  version: 1,
  content_hash: "7a90".repeat(16),
  release: "0.2.0",
};

const { reference, gateway, gateway_version } = image;

export const instance: Instance = {
  id: IDS.instance,
  client: ACME,
  environment: "production",
  status: "running",
  state_cause: null,
  state_deadline: null,
  generation: 1,
  managed_by: "dashboard",
  billing_plan: "basic",
  worker_name: "tenant-acme",
  ai_gateway: pooled,
  runs: {
    image: { id: IDS.image, reference, gateway, gateway_version },
    worker: { id: IDS.worker, content_hash: workerBundle.content_hash, release: workerBundle.release },
    pinned: false,
    reported: { gateway, gateway_version, worker: workerBundle.content_hash, at: PROVISIONED },
    as_wanted: true,
    maintenance: null,
  },
  job: null,
  created_at: CREATED,
  updated_at: PROVISIONED,
  version: 4,
};

/** A job that ended. */
export const job: Job = {
  id: IDS.provisionJob,
  kind: "provision",
  status: "succeeded",
  client_id: IDS.client,
  instance_id: IDS.instance,
  slug: ACME.slug,
  generation: 1,
  rollout_id: null,
  backup_id: null,
  cause: null,
  attempts: 1,
  progress: 100,
  requested_by: ROOT_EMAIL,
  created_at: CREATED,
  started_at: "2026-11-02T09:00:02.000Z",
  ended_at: PROVISIONED,
  not_before: null,
  deadline: "2026-11-02T09:30:02.000Z",
  followed_by: null,
};

/** A job of a kind that a request has just queued. */
export const queuedJob = (kind: Job["kind"]): Job => ({
  ...job,
  id: IDS.openJob,
  kind,
  status: "queued",
  generation: 2,
  attempts: 0,
  progress: 0,
  created_at: "2026-11-02T15:00:00.000Z",
  started_at: null,
  ended_at: null,
  deadline: "2026-11-02T15:30:00.000Z",
});

/** The instance while a job of a kind is queued. */
export const busyInstance = (kind: Job["kind"], changes: Partial<Instance> = {}): Instance => ({
  ...instance,
  job: queuedJob(kind),
  generation: 2,
  updated_at: "2026-11-02T15:00:00.000Z",
  version: 5,
  ...changes,
});

export const user: User = {
  id: IDS.person,
  kind: "person",
  email: "ada@acme.example",
  name: "Ada Lovelace",
  role: "ADMIN",
  partner_id: IDS.partner,
  status: "validated",
  validated_at: "2026-11-02T10:12:00.000Z",
  cf_access_identity: { email: "ada@acme.example" },
  instance_ids: [IDS.instance],
  clients: [
    { client_id: IDS.client, slug: ACME.slug, role: "ADMIN", status: "validated", instance_ids: [IDS.instance] },
  ],
  managed_by: "dashboard",
  created_at: "2026-11-02T10:00:00.000Z",
  updated_at: "2026-11-02T10:12:00.000Z",
  version: 2,
};

export const clientUser: ClientUser = {
  id: IDS.clientUser,
  client_id: IDS.client,
  email: user.email,
  name: user.name,
  role: "ADMIN",
  status: "invited",
  validated_at: null,
  cf_access_identity: null,
  instance_ids: [IDS.instance],
  expires_at: "2026-11-09T10:00:00.000Z",
  mail_status: "queued",
  created_at: "2026-11-02T10:00:00.000Z",
  updated_at: "2026-11-02T10:00:00.000Z",
  version: 1,
};

export const aiGateway: AiGateway = {
  id: IDS.pool,
  gateway_id: "pool-a",
  environment: null,
  declared_by: "production",
  enabled: true,
  max_instances: 20,
  bound: 12,
  ...fromDashboard,
  ...timestamps,
  version: 3,
};

export const door: Door = {
  id: IDS.door,
  instance_id: IDS.instance,
  kind: "telegram",
  name: "support-bot",
  state: "active",
  key_hint: "Q7xB",
  former_key_until: null,
  secret_names: ["secretToken"],
  former_until: null,
  ...fromDashboard,
  created_by: ROOT_EMAIL,
  rotated_at: null,
  last_used_at: null,
  last_refused_at: null,
  last_refusal: null,
  created_at: ACTIVATED,
  updated_at: ACTIVATED,
  version: 1,
};

export const channel: Channel = {
  id: IDS.channel,
  instance_id: IDS.instance,
  kind: "telegram",
  transport: "webhook",
  door_id: IDS.door,
  account: { id: "7000000001", name: "@acme_support_bot" },
  state: "pushing",
  last_error: null,
  checked_at: ACTIVATED,
  pushed_at: null,
  connected_at: null,
  last_received_at: null,
  created_by: ROOT_EMAIL,
  token_replaced_at: null,
  created_at: ACTIVATED,
  updated_at: ACTIVATED,
  version: 1,
};

export const providerKey: ProviderKey = {
  id: IDS.providerKey,
  instance_id: IDS.instance,
  provider: "openai",
  key_hint: "x4Qz",
  state: "pushing",
  last_error: null,
  last_error_at: null,
  pushed_at: null,
  last_used_at: null,
  created_by: ROOT_EMAIL,
  created_at: ACTIVATED,
};

export const incident: Incident = {
  id: IDS.incident,
  instance_id: IDS.instance,
  client: { id: ACME.id, slug: ACME.slug },
  kind: "gateway_dead",
  cause: "The gateway failed five liveness probes in a row.",
  remedy: "Restart the gateway. If it fails again, read its log.",
  opened_at: "2026-11-03T07:45:00.000Z",
  acknowledged: null,
  closed_at: null,
};

/** A page with one entry, the last of its list. */
export const onePage = <T>(item: T) => ({ data: [item], pagination: { next: null } });
