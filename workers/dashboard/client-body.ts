/** The JSON of `GET /client`. */
import * as z from "zod";
import type { ListedClient } from "../../database/clients.ts";
import { environments } from "../../domain/environment.ts";
import { clientStates, instanceStates } from "../../domain/instance-state.ts";
import { plans } from "../../domain/plan.ts";
import type { ClientPage } from "./client-page.ts";

const clientBody = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  billing_plan: z.enum(plans),
  status: z.enum(clientStates),
  /** Null for an internal client. */
  partner: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }).nullable(),
  /** Null until the client has one. */
  instance: z
    .object({
      id: z.uuid(),
      status: z.enum(instanceStates),
      environment: z.enum(environments),
      ai_gateway_id: z.string().nullable(),
      /** Whether the gateway is the pool's. */
      ai_gateway_pooled: z.boolean(),
    })
    .nullable(),
});

/** A page: `pagination.page` counts from 1, `pagination.total` counts the clients of all pages. */
export const clientListBody = z.object({
  data: z.array(clientBody),
  pagination: z.object({
    page: z.number().int(),
    per_page: z.number().int(),
    total: z.number().int(),
    total_pages: z.number().int(),
  }),
});
export type ClientListBody = z.infer<typeof clientListBody>;

export function toClientListBody({ clients, pagination }: ClientPage): ClientListBody {
  return { data: clients.map(toClientBody), pagination };
}

function toClientBody({
  id,
  slug,
  name,
  billingPlan,
  status,
  partner,
  instance,
}: ListedClient): z.infer<typeof clientBody> {
  return {
    id,
    slug,
    name,
    billing_plan: billingPlan,
    status,
    partner,
    instance: instance && {
      id: instance.id,
      status: instance.status,
      environment: instance.environment,
      ai_gateway_id: instance.aiGateway?.id ?? null,
      ai_gateway_pooled: instance.aiGateway?.pooled ?? false,
    },
  };
}
