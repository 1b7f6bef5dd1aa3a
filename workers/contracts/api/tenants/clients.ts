/** Clients, by the API. */
import * as z from "zod";
import { MAX_MICROS } from "#domain/billing/money.ts";
import { environments } from "#domain/environment.ts";
import { plans } from "#domain/plans/plan.ts";
import { clientStates, instanceStates } from "#domain/tenants/instance-state.ts";
import { instanceTypes } from "#domain/tenants/instance-type.ts";
import { fieldAnswers, fieldChanges } from "../client-fields.ts";
import { instant, pageOf, pageQuery } from "../paging.ts";
import { displayName } from "../people/display-name.ts";
import { BOTH_ROOTS, ROOT_ONLY, route } from "../route.ts";

/** How long a deleted client can be restored, in days. */
export const DELETION_GRACE_DAYS = 7;

/** Who owns a row: Git, whose stack file declares it, or the dashboard. */
export const owners = ["git", "dashboard"] as const;

const partnerSummary = z.object({ id: z.uuid(), slug: z.string(), name: z.string() });
const plan = z.enum(plans);

export const client = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  billing_plan: plan,
  status: z.enum(clientStates),
  managed_by: z.enum(owners),
  /** The settings file in Git that declares it, as far as that is known; null for one of the dashboard's. */
  declared_in: z.string().nullable(),
  /** Null for an internal client. */
  partner: partnerSummary.nullable(),
  /** Null until the client has one. */
  instance: z
    .object({
      id: z.uuid(),
      status: z.enum(instanceStates),
      environment: z.enum(environments),
      /** What froze it, and so lets it go on: no partner root what the platform froze, and nobody by hand what credit did. Null while it is not frozen. */
      frozen_by: z.enum(["platform", "partner", "credit", "deletion"]).nullable(),
      ai_gateway_id: z.string().nullable(),
      /** Whether the gateway is the pool's. */
      ai_gateway_pooled: z.boolean(),
    })
    .nullable(),
  /** End of the time of grace of a deleted client; null for any other. */
  delete_after: instant.nullable(),
  /** Who had it deleted: what the platform did no partner root takes back, and what credit did only with credit. Null for any other. */
  deletion_by: z.enum(["platform", "partner", "credit"]).nullable(),
  ...fieldAnswers,
  created_at: instant,
  updated_at: instant,
  version: z.number().int(),
});
export type Client = z.infer<typeof client>;

/** What would be made of a new client now; nothing is kept for it. */
export const newClient = z.object({
  slug: z.string(),
  /** Where its tenant would be reached; null where the slug can name none. */
  hostname: z.string().nullable(),
  billing_plan: plan,
  partner: partnerSummary.nullable(),
  container: z.object({
    type: z.enum(instanceTypes),
    memory_mib: z.number(),
    vcpu: z.number(),
    disk_gb: z.number(),
  }),
  /** `dedicated` is the tenant's own, whose id follows from the slug. Null where there is none to be had. */
  ai_gateway: z.object({ kind: z.enum(["pooled", "dedicated"]), id: z.string().nullable() }).nullable(),
  /** What the plan costs a month, once the client is no draft; null where nobody has given it a price. */
  monthly_fee_micros: z.int().min(0).max(Number(MAX_MICROS)).nullable(),
  /** Why the client, or its instance, could not be made as it is, and what to do. */
  faults: z.array(z.object({ of: z.enum(["slug", "ai_gateway"]), message: z.string() })),
});
export type NewClient = z.infer<typeof newClient>;

const byId = z.object({ client_id: z.uuid() });

/** Orders of the list; a minus turns one round. */
export const clientOrders = ["slug", "-slug", "created_at", "-created_at"] as const;

export const clientRoutes = {
  listClients: route({
    method: "get",
    path: "/client",
    tag: "clients",
    summary: "List clients",
    callers: BOTH_ROOTS,
    query: pageQuery.extend({
      sort: z.enum(clientOrders).default("slug"),
      status: z.enum(clientStates).optional(),
      billing_plan: plan.optional(),
      instance_status: z.enum(instanceStates).optional(),
      partner_id: z.uuid().optional(),
      /** Part of a slug or a name. */
      search: z.string().trim().min(1).max(100).optional(),
    }),
    answer: pageOf(client),
  }),
  // Before the client of an address.
  previewClient: route({
    method: "get",
    path: "/client/new",
    tag: "clients",
    summary: "Tell what would be made of a new client and its instance, and why it could not",
    callers: BOTH_ROOTS,
    query: z.object({
      slug: z.string().trim().max(200).default(""),
      billing_plan: plan,
      /** Default: as for a creation. */
      partner_id: z.uuid().optional(),
    }),
    answer: newClient,
    refusals: ["forbidden", "limit_exceeded"],
  }),
  getClient: route({
    method: "get",
    path: "/client/:client_id",
    tag: "clients",
    summary: "Get a client",
    callers: BOTH_ROOTS,
    params: byId,
    answer: client,
    versioned: true,
  }),
  createClient: route({
    method: "post",
    path: "/client/new",
    tag: "clients",
    summary: "Create a client, as a draft",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      slug: z.string().trim(),
      /** Default: the slug. */
      name: displayName.optional(),
      billing_plan: plan,
      /** Null or left out: an internal client, or for a partner root one of its own partner. */
      partner_id: z.uuid().nullish(),
    }),
    answer: client,
    status: 201,
    refusals: ["conflict", "forbidden"],
  }),
  updateClient: route({
    method: "put",
    path: "/client/update",
    tag: "clients",
    summary: "Update a client: what is left out stays",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      id: z.uuid(),
      name: displayName.optional(),
      billing_plan: plan.optional(),
      /** draft → active → production, and one step back. */
      status: z.enum(clientStates).optional(),
      /** By a platform root alone. */
      partner_id: z.uuid().nullable().optional(),
      ...fieldChanges,
    }),
    answer: client,
    refusals: ["conflict", "forbidden", "managed_by_git", "no_account_capacity"],
    versioned: true,
  }),
  deleteClient: route({
    method: "delete",
    path: "/client/:client_id",
    tag: "clients",
    summary: "Delete a client after a grace period, during which its instance is frozen and it can be restored",
    callers: BOTH_ROOTS,
    params: byId,
    query: z.object({
      /** `true` ends the grace period of a deleted client now: it and its instance are removed within minutes, and cannot be restored. */
      now: z.enum(["true", "false"]).default("false"),
    }),
    answer: client,
    status: 202,
    refusals: ["conflict", "forbidden", "managed_by_git"],
    versioned: true,
  }),
  restoreClient: route({
    method: "post",
    path: "/client/:client_id/restore",
    tag: "clients",
    summary: "Restore a deleted client that is still in its grace period",
    callers: BOTH_ROOTS,
    params: byId,
    answer: client,
    refusals: ["conflict", "forbidden"],
  }),
  freezeClient: route({
    method: "post",
    path: "/client/:client_id/freeze",
    tag: "clients",
    summary: "Freeze a client's instance: it takes no traffic, its state is kept",
    callers: BOTH_ROOTS,
    params: byId,
    body: z.strictObject({
      /** Why, for the audit and whoever looks. */
      cause: z.string().trim().max(500).optional(),
    }),
    answer: client,
    refusals: ["conflict"],
  }),
  resumeClient: route({
    method: "post",
    path: "/client/:client_id/resume",
    tag: "clients",
    summary: "Let a frozen instance take traffic again",
    callers: BOTH_ROOTS,
    params: byId,
    answer: client,
    refusals: ["conflict", "forbidden"],
  }),
  getClientPartner: route({
    method: "get",
    path: "/client/:client_id/partner",
    tag: "clients",
    summary: "The partner of a client; null for an internal one",
    callers: ROOT_ONLY,
    params: byId,
    answer: partnerSummary.nullable(),
  }),
};
