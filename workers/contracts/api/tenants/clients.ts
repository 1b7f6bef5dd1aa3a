/** Clients, by the API. */
import * as z from "zod";
import { MAX_MICROS } from "#domain/billing/money.ts";
import { client } from "#domain/entities/client.ts";
import { named } from "#domain/entities/entity.ts";
import { fieldChanges } from "#domain/settings/client.ts";
import { instanceStates } from "#domain/tenants/instance-state.ts";
import { instanceTypes } from "#domain/tenants/instance-type.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { displayName } from "../people/display-name.ts";
import { BOTH_ROOTS, ROOT_ONLY, route, routes } from "../route.ts";

/** How long a deleted client can be restored, in days. */
export const DELETION_GRACE_DAYS = 7;

export type Client = z.infer<typeof client>;
const { billing_plan, status } = client.shape;

/** What would be made of a new client now; nothing is kept for it. */
export const newClient = z.object({
  slug: z.string(),
  /** Where its tenant would be reached; null where the slug can name none. */
  hostname: z.string().nullable(),
  billing_plan,
  partner: named.nullable(),
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

export const clientRoutes = routes("clients", {
  listClients: route("get", "/client", {
    summary: "List clients",
    callers: BOTH_ROOTS,
    query: pageQuery.extend({
      sort: z.enum(clientOrders).default("slug"),
      status: status.optional(),
      billing_plan: billing_plan.optional(),
      instance_status: z.enum(instanceStates).optional(),
      partner_id: z.uuid().optional(),
      /** Part of a slug or a name. */
      search: z.string().trim().min(1).max(100).optional(),
    }),
    answer: pageOf(client),
  }),
  // Before the client of an address.
  previewClient: route("get", "/client/new", {
    summary: "Tell what would be made of a new client and its instance, and why it could not",
    callers: BOTH_ROOTS,
    query: z.object({
      slug: z.string().trim().max(200).default(""),
      billing_plan,
      /** Default: as for a creation. */
      partner_id: z.uuid().optional(),
    }),
    answer: newClient,
    refusals: ["forbidden", "limit_exceeded"],
  }),
  getClient: route("get", "/client/:client_id", {
    summary: "Get a client",
    callers: BOTH_ROOTS,
    params: byId,
    answer: client,
    versioned: true,
  }),
  createClient: route("post", "/client/new", {
    summary: "Create a client, as a draft",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      slug: z.string().trim(),
      /** Default: the slug. */
      name: displayName.optional(),
      billing_plan,
      /** Null or left out: an internal client, or for a partner root one of its own partner. */
      partner_id: z.uuid().nullish(),
    }),
    answer: client,
    status: 201,
    refusals: ["conflict", "forbidden"],
  }),
  updateClient: route("put", "/client/update", {
    summary: "Update a client: what is left out stays",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      id: z.uuid(),
      name: displayName.optional(),
      billing_plan: billing_plan.optional(),
      /** draft → active → production, and one step back. */
      status: status.optional(),
      /** By a platform root alone. */
      partner_id: z.uuid().nullable().optional(),
      ...fieldChanges,
    }),
    answer: client,
    refusals: ["conflict", "forbidden", "managed_by_git", "no_account_capacity"],
    versioned: true,
  }),
  deleteClient: route("delete", "/client/:client_id", {
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
  restoreClient: route("post", "/client/:client_id/restore", {
    summary: "Restore a deleted client that is still in its grace period",
    callers: BOTH_ROOTS,
    params: byId,
    answer: client,
    refusals: ["conflict", "forbidden"],
  }),
  freezeClient: route("post", "/client/:client_id/freeze", {
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
  resumeClient: route("post", "/client/:client_id/resume", {
    summary: "Let a frozen instance take traffic again",
    callers: BOTH_ROOTS,
    params: byId,
    answer: client,
    refusals: ["conflict", "forbidden"],
  }),
  getClientPartner: route("get", "/client/:client_id/partner", {
    summary: "The partner of a client; null for an internal one",
    callers: ROOT_ONLY,
    params: byId,
    answer: named.nullable(),
  }),
});
