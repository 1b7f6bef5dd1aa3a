/** The pool of shared AI gateways in the API. */
import * as z from "zod";
import { aiGateway } from "#domain/entities/ai-gateway.ts";
import { managed } from "#domain/entities/entity.ts";
import { instance } from "#domain/entities/instance.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { ROOT_ONLY, route, routes } from "../route.ts";

/** Maximum of PostgreSQL's `integer`. */
const MOST_INSTANCES = 2_147_483_647;
const { environment, enabled } = aiGateway.shape;
const maxInstances = aiGateway.shape.max_instances.min(0).max(MOST_INSTANCES);

export type AiGateway = z.infer<typeof aiGateway>;

const boundInstance = instance.pick({ id: true, status: true, client: true }).extend(managed);
export type BoundInstance = z.infer<typeof boundInstance>;

const byId = z.object({ id: z.uuid() });

export const aiGatewayRoutes = routes("AI gateways", {
  listAiGateways: route("get", "/api/ai-gateways", {
    summary: "List the AI gateways of the pool",
    callers: ROOT_ONLY,
    query: pageQuery,
    answer: pageOf(aiGateway),
  }),
  getAiGateway: route("get", "/api/ai-gateways/:id", {
    summary: "Get an AI gateway of the pool",
    callers: ROOT_ONLY,
    params: byId,
    answer: aiGateway,
    versioned: true,
  }),
  listBoundInstances: route("get", "/api/ai-gateways/:id/instances", {
    summary: "List the instances that bind an AI gateway",
    callers: ROOT_ONLY,
    params: byId,
    query: pageQuery,
    answer: pageOf(boundInstance),
  }),
  createAiGateway: route("post", "/api/ai-gateways", {
    summary: "Add an AI gateway to the pool",
    callers: ROOT_ONLY,
    body: z.strictObject({
      gateway_id: aiGateway.shape.gateway_id.regex(
        /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
        "must have at most 64 lower-case letters, digits and inner hyphens",
      ),
      /** Default: any in production, elsewhere the dashboard's own environment. */
      environment: environment.optional(),
      enabled: enabled.default(true),
      max_instances: maxInstances,
    }),
    answer: aiGateway,
    status: 201,
    refusals: ["conflict"],
  }),
  updateAiGateway: route("put", "/api/ai-gateways/:id", {
    summary: "Update an AI gateway of the pool",
    callers: ROOT_ONLY,
    params: byId,
    body: z.strictObject({
      environment: environment.optional(),
      enabled: enabled.optional(),
      max_instances: maxInstances.optional(),
    }),
    answer: aiGateway,
    refusals: ["conflict", "managed_by_git"],
    versioned: true,
  }),
  deleteAiGateway: route("delete", "/api/ai-gateways/:id", {
    summary: "Remove an AI gateway from the pool",
    callers: ROOT_ONLY,
    params: byId,
    refusals: ["conflict", "managed_by_git"],
    versioned: true,
  }),
});
