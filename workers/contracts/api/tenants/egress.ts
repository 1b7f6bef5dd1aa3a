/** What tenants' containers may reach and what they reached, in the API. */
import * as z from "zod";
import { entryOfLine } from "#domain/egress/entry-text.ts";
import { egressModes, egressPolicy, egressRefusals } from "#domain/egress/policy-types.ts";
import { egress, egressSecret, partnerEgress } from "#domain/entities/egress.ts";
import { instant } from "#domain/entities/entity.ts";
import { egressGaps, egressSecretValue } from "../../tenant/egress.ts";
import { BOTH_ROOTS, ROOTS_AND_ADMINS, route, routes } from "../route.ts";

export type Egress = z.infer<typeof egress>;
export type PartnerEgress = z.infer<typeof partnerEgress>;
export type EgressSecret = z.infer<typeof egressSecret>;

/** A policy as a person states it: `validateEgress` names its faults and normalises it. */
const draft = z.strictObject({
  mode: z.enum(egressModes),
  /** A text has the form `host [ports] [METHODS]`. */
  entries: z
    .array(
      z.union([
        z.strictObject({
          host: z.string(),
          ports: z.array(z.number()).optional(),
          methods: z.array(z.string()).optional(),
        }),
        z.string().transform(entryOfLine),
      ]),
    )
    .default([]),
});
export const egressChange = z.strictObject({
  /** Null states nothing. */
  policy: draft.nullable(),
});

const count = z.number().int().nonnegative();
const reason = z.enum(egressRefusals);

/** Traffic with a host. */
export const egressTraffic = z.object({
  host: z.string(),
  port: z.number().int(),
  /** As the program states it; null for none. */
  program: z.string().nullable(),
  requests: count,
  /** Of the requests. */
  refused: count,
  sent_bytes: count,
  received_bytes: count,
  first_at: instant,
  last_at: instant,
  /** Why the last refused request was refused; null for none. */
  reason: reason.nullable(),
});
export type EgressTraffic = z.infer<typeof egressTraffic>;

/** Recorded traffic that was allowed, and that a policy would refuse. */
export const egressLoss = egressTraffic
  .pick({ host: true, port: true, program: true, requests: true, last_at: true })
  .extend({ reason });
export type EgressLoss = z.infer<typeof egressLoss>;

/** @property would_refuse of a preview; null for a stored policy */
export const changedEgress = egress.extend({ would_refuse: z.array(egressLoss).nullable() });

export const egressHosts = z.object({
  /** That the tenant's Worker applies; `open` before it received a policy, unless plan or platform state another. */
  mode: z.enum(egressModes),
  /** Whether the running container has network access that the policy closes, until its next start. */
  restart_required: z.boolean(),
  /** What the policy demands and the running container does not provide. */
  gaps: z.array(z.enum(egressGaps)),
  /** By the last use, the newest first. */
  data: z.array(egressTraffic),
});
export type EgressHosts = z.infer<typeof egressHosts>;

export const egressAllowlist = z.object({
  policy: egressPolicy,
  /** Null unless the policy was stored. */
  stored: egress.nullable(),
});

const PREVIEW = z.object({
  /** `true`: stores nothing, and returns what the policy would refuse of the recorded traffic. */
  preview: z.enum(["true", "false"]).default("false"),
});
const ofInstance = z.object({ instance_id: z.uuid() });
const ofPartner = z.object({ partner_id: z.uuid() });
const FROM_TENANT = ["conflict", "gateway_unavailable", "tenant_unavailable"] as const;

export const egressRoutes = routes("egress", {
  getEgress: route("get", "/api/instances/:instance_id/egress", {
    summary: "Get an instance's egress policies",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    answer: egress,
    versioned: true,
  }),
  putEgress: route("put", "/api/instances/:instance_id/egress", {
    summary: "Set an instance's egress policy",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    query: PREVIEW,
    body: egressChange,
    answer: changedEgress,
    refusals: ["managed_by_git", ...FROM_TENANT],
    versioned: true,
  }),
  listEgressHosts: route("get", "/api/instances/:instance_id/egress/hosts", {
    summary: "List hosts that an instance reached",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    answer: egressHosts,
    refusals: FROM_TENANT,
  }),
  createEgressAllowlist: route("post", "/api/instances/:instance_id/egress/allowlist", {
    summary: "Create an allowlist from recorded hosts",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    body: z.strictObject({
      /** Whether to store the policy. Default: only return it. */
      store: z.boolean().default(false),
    }),
    answer: egressAllowlist,
    refusals: ["managed_by_git", ...FROM_TENANT],
    versioned: true,
  }),
  getPartnerEgress: route("get", "/api/partners/:partner_id/egress", {
    summary: "Get a partner's egress policy",
    callers: BOTH_ROOTS,
    params: ofPartner,
    answer: partnerEgress,
    versioned: true,
  }),
  putPartnerEgress: route("put", "/api/partners/:partner_id/egress", {
    summary: "Set a partner's egress policy",
    callers: BOTH_ROOTS,
    params: ofPartner,
    body: egressChange,
    answer: partnerEgress,
    refusals: ["managed_by_git"],
    versioned: true,
  }),
  listEgressSecrets: route("get", "/api/instances/:instance_id/egress/secrets", {
    summary: "List an instance's egress secrets",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    answer: z.object({ data: z.array(egressSecret) }),
  }),
  createEgressSecret: route("post", "/api/instances/:instance_id/egress/secrets", {
    summary: "Store an egress secret",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    /** A secret with the same name is replaced. */
    body: z.strictObject({
      name: egressSecretValue.shape.name,
      host: z.string().trim().toLowerCase().pipe(egressSecretValue.shape.host),
      header: z.string().trim().toLowerCase().pipe(egressSecretValue.shape.header).default("authorization"),
      /** Before the value. */
      prefix: egressSecretValue.shape.prefix.default(""),
      /** Spaces around a pasted text are removed. */
      value: z.string().trim().pipe(egressSecretValue.shape.value),
    }),
    answer: egressSecret,
    status: 201,
    refusals: ["conflict"],
  }),
  deleteEgressSecret: route("delete", "/api/instances/:instance_id/egress/secrets/:secret_id", {
    summary: "Delete an egress secret",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance.extend({ secret_id: z.uuid() }),
  }),
});
