/** The pool of shared AI gateways, by the API. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { instanceStates } from "#domain/tenants/instance-state.ts";
import { instant, pageOf, pageQuery } from "../paging.ts";
import { ROOT_ONLY, route } from "../route.ts";
import { owners } from "./clients.ts";

/** PostgreSQL's `integer`. */
const MOST_INSTANCES = 2_147_483_647;
const maxInstances = z.number().int().min(0).max(MOST_INSTANCES);
const environment = z.enum(environments);

export const aiGateway = z.object({
  id: z.uuid(),
  /** The gateway's id at Cloudflare. */
  gateway_id: z.string(),
  /** The one environment that may bind it; null for any. */
  environment: environment.nullable(),
  /** The environment that has the entry, and alone may change it. */
  declared_by: environment,
  enabled: z.boolean(),
  /** Most instances that may bind it. */
  max_instances: z.number().int(),
  /** How many do, in all environments. */
  bound: z.number().int(),
  managed_by: z.enum(owners),
  /** The settings file in Git that declares it, as far as that is known; null for one of the dashboard's. */
  declared_in: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  version: z.number().int(),
});
export type AiGateway = z.infer<typeof aiGateway>;

const boundInstance = z.object({
  id: z.uuid(),
  status: z.enum(instanceStates),
  client: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }),
  managed_by: z.enum(owners),
  /** The settings file in Git that declares it, as far as that is known; null for one of the dashboard's. */
  declared_in: z.string().nullable(),
});
export type BoundInstance = z.infer<typeof boundInstance>;

const byId = z.object({ id: z.uuid() });

export const aiGatewayRoutes = {
  listAiGateways: route({
    method: "get",
    path: "/api/ai-gateways",
    tag: "AI gateways",
    summary: "List the pool's entries, by the gateways' ids",
    callers: ROOT_ONLY,
    query: pageQuery,
    answer: pageOf(aiGateway),
  }),
  getAiGateway: route({
    method: "get",
    path: "/api/ai-gateways/:id",
    tag: "AI gateways",
    summary: "Get a pool entry",
    callers: ROOT_ONLY,
    params: byId,
    answer: aiGateway,
    versioned: true,
  }),
  listBoundInstances: route({
    method: "get",
    path: "/api/ai-gateways/:id/instances",
    tag: "AI gateways",
    summary: "List the instances of this environment that bind a pool entry, by slug",
    callers: ROOT_ONLY,
    params: byId,
    query: pageQuery,
    answer: pageOf(boundInstance),
  }),
  createAiGateway: route({
    method: "post",
    path: "/api/ai-gateways",
    tag: "AI gateways",
    summary: "Take a gateway that is there at Cloudflare into the pool",
    callers: ROOT_ONLY,
    body: z.strictObject({
      gateway_id: z
        .string()
        .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, "is at most 64 lower-case letters, digits and inner hyphens"),
      /** Default: the dashboard's own; in production any. */
      environment: environment.nullish(),
      enabled: z.boolean().default(true),
      max_instances: maxInstances,
    }),
    answer: aiGateway,
    status: 201,
    refusals: ["conflict"],
  }),
  updateAiGateway: route({
    method: "put",
    path: "/api/ai-gateways/:id",
    tag: "AI gateways",
    summary: "Update a pool entry: what is left out stays; never below what binds it",
    callers: ROOT_ONLY,
    params: byId,
    body: z.strictObject({
      environment: environment.nullable().optional(),
      enabled: z.boolean().optional(),
      max_instances: maxInstances.optional(),
    }),
    answer: aiGateway,
    refusals: ["conflict", "managed_by_git"],
    versioned: true,
  }),
  deleteAiGateway: route({
    method: "delete",
    path: "/api/ai-gateways/:id",
    tag: "AI gateways",
    summary: "Take an entry that nothing binds out of the pool; the gateway at Cloudflare stays",
    callers: ROOT_ONLY,
    params: byId,
    refusals: ["conflict", "managed_by_git"],
    versioned: true,
  }),
};
