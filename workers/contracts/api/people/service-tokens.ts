/** Service tokens of a client's users in the API. */
import * as z from "zod";
import { DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS } from "#domain/access/service-token.ts";
import { serviceToken } from "#domain/entities/service-token.ts";
import { ROOTS_AND_ADMINS, route, routes } from "../route.ts";

export type ServiceToken = z.infer<typeof serviceToken>;

const ofClient = z.object({ client_id: z.uuid() });

export const createdServiceToken = serviceToken.extend({
  /** Value of the header `CF-Access-Client-Secret`. No other response has it. */
  client_secret: z.string(),
});

export const newServiceToken = z.strictObject({
  client_user_id: z.uuid(),
  name: z.string().trim().min(1).max(100),
  role: serviceToken.shape.role,
  /** Days until it expires. */
  days: z.number().int().min(1).max(MAX_TOKEN_DAYS).default(DEFAULT_TOKEN_DAYS),
});

export const serviceTokenRoutes = routes("service tokens", {
  listServiceTokens: route("get", "/api/clients/:client_id/tokens", {
    summary: "List a client's service tokens",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    answer: z.object({ data: z.array(serviceToken) }),
  }),
  createServiceToken: route("post", "/api/clients/:client_id/tokens", {
    summary: "Create a service token for a client's user",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    body: newServiceToken,
    answer: createdServiceToken,
    status: 201,
    refusals: ["conflict", "no_account_capacity", "tenant_unavailable"],
    confidential: true,
  }),
  revokeServiceToken: route("delete", "/api/clients/:client_id/tokens/:id", {
    summary: "Revoke a service token",
    callers: ROOTS_AND_ADMINS,
    params: ofClient.extend({ id: z.uuid() }),
  }),
});
