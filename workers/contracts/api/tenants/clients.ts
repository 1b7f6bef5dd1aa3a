/** Clients in the API. */
import * as z from "zod";
import { MAX_MICROS } from "#domain/billing/money.ts";
import { client } from "#domain/entities/client.ts";
import { named } from "#domain/entities/entity.ts";
import { fieldBodies, fieldChanges } from "#domain/settings/client.ts";
import { instanceStates } from "#domain/tenants/instance-state.ts";
import { instanceTypes } from "#domain/tenants/instance-type.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { displayName } from "../people/display-name.ts";
import { BOTH_ROOTS, ROOT_AND_ADMINS, ROOT_ONLY, ROOTS_AND_ADMINS, route, routes } from "../route.ts";
import { TAR } from "./export.ts";

/** Grace period of a deleted client, in days. */
export const DELETION_GRACE_DAYS = 7;

export type Client = z.infer<typeof client>;
const { billing_plan, status } = client.shape;

/** What a new client would get now. Nothing is reserved. */
export const newClient = z.object({
  slug: z.string(),
  /** Null for an invalid slug. */
  hostname: z.string().nullable(),
  billing_plan,
  partner: named.nullable(),
  container: z.object({
    type: z.enum(instanceTypes),
    memory_mib: z.number(),
    vcpu: z.number(),
    disk_gb: z.number(),
  }),
  /** `dedicated`: the tenant's own gateway, whose id follows from the slug. Null if no gateway is available. */
  ai_gateway: z.object({ kind: z.enum(["pooled", "dedicated"]), id: z.string().nullable() }).nullable(),
  /** The plan's monthly fee, due from the status `active` on; null for a plan without a price. */
  monthly_fee_micros: z.int().min(0).max(Number(MAX_MICROS)).nullable(),
  /** Why the client or its instance cannot be created, and what to do. */
  faults: z.array(z.object({ of: z.enum(["slug", "ai_gateway"]), message: z.string() })),
});
export type NewClient = z.infer<typeof newClient>;

const byId = z.object({ client_id: z.uuid() });

/** Orders of the list; a minus reverses one. */
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
  // Must precede `/client/:client_id`, which matches its path.
  previewClient: route("get", "/client/new", {
    summary: "Preview a new client",
    callers: BOTH_ROOTS,
    query: z.object({
      slug: z.string().trim().max(200).default(""),
      billing_plan,
      /** Default: as in `createClient`. */
      partner_id: z.uuid().optional(),
    }),
    answer: newClient,
    refusals: ["forbidden", "limit_exceeded"],
  }),
  getClient: route("get", "/client/:client_id", {
    summary: "Get a client",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: client,
    versioned: true,
  }),
  createClient: route("post", "/client/new", {
    summary: "Create a client",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      slug: z.string().trim(),
      /** Default: the slug. */
      name: displayName.optional(),
      billing_plan,
      /** Default, and null: an internal client, or for a partner root a client of its own partner. */
      partner_id: z.uuid().nullish(),
    }),
    answer: client,
    status: 201,
    refusals: ["conflict", "forbidden"],
  }),
  updateClient: route("put", "/client/update", {
    summary: "Update a client",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      id: z.uuid(),
      name: displayName.optional(),
      billing_plan: billing_plan.optional(),
      /** draft → active → production, and one step back. */
      status: status.optional(),
      /** Only for platform roots. */
      partner_id: z.uuid().nullable().optional(),
      ...fieldChanges,
    }),
    answer: client,
    refusals: ["conflict", "forbidden", "managed_by_git", "no_account_capacity"],
    versioned: true,
  }),
  setMaintenanceWindow: route("put", "/client/:client_id/maintenance-window", {
    summary: "Set a client's maintenance window",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    body: z.strictObject({
      /** Null: changes that are not urgent happen at any time. */
      maintenance_window: fieldBodies.maintenance_window,
    }),
    answer: client,
    refusals: ["managed_by_git"],
    versioned: true,
  }),
  setCanary: route("put", "/client/:client_id/canary", {
    summary: "Choose whether rollouts reach a client first",
    callers: ROOT_AND_ADMINS,
    params: byId,
    body: z.strictObject({ canary: fieldBodies.canary }),
    answer: client,
    refusals: ["managed_by_git"],
    versioned: true,
  }),
  viewClient: route("post", "/client/:client_id/console", {
    summary: "View a client's console",
    callers: ROOT_ONLY,
    params: byId,
    answer: z.object({
      /** Address of the console, which opens it within 30 seconds. */
      url: z.url(),
    }),
    status: 201,
    refusals: ["conflict"],
  }),
  deleteClient: route("delete", "/client/:client_id", {
    summary: "Delete a client",
    callers: ROOTS_AND_ADMINS,
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
  eraseClient: route("post", "/client/:client_id/erase", {
    summary: "Erase a deleted client",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    body: z.strictObject({
      /** The client's slug, to confirm. */
      slug: z.string(),
    }),
    answer: client,
    status: 202,
    refusals: ["conflict", "forbidden", "managed_by_git"],
    versioned: true,
  }),
  exportClient: route("get", "/client/:client_id/export", {
    summary: "Export a client",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    produces: [TAR],
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  restoreClient: route("post", "/client/:client_id/restore", {
    summary: "Restore a deleted client",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: client,
    refusals: ["conflict", "forbidden"],
  }),
  freezeClient: route("post", "/client/:client_id/freeze", {
    summary: "Freeze a client's instance",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    body: z.strictObject({
      /** Reason for the audit log and other users. */
      cause: z.string().trim().max(500).optional(),
    }),
    answer: client,
    refusals: ["conflict"],
  }),
  resumeClient: route("post", "/client/:client_id/resume", {
    summary: "Resume a client's instance",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: client,
    refusals: ["conflict", "forbidden"],
  }),
  getClientPartner: route("get", "/client/:client_id/partner", {
    summary: "Get the partner of a client",
    callers: ROOT_ONLY,
    params: byId,
    answer: named.nullable(),
  }),
});
