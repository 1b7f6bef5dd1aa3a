/** Service tokens in the console: a tenant's user manages its own, an ADMIN those of all users of the client. */
import * as z from "zod";
import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { named } from "#domain/entities/entity.ts";
import { serviceToken } from "#domain/entities/service-token.ts";
import { clientUser } from "#domain/entities/user.ts";
import { environments } from "#domain/environment.ts";
import { createdServiceToken, newServiceToken } from "../people/service-tokens.ts";
import { route, routes, TENANT_USERS } from "../route.ts";
import { ofTenant } from "./tenant.ts";

const ofToken = ofTenant.extend({ id: z.uuid() });

export const consoleTokenList = z.object({
  client: named.omit({ id: true }).extend({ environment: z.enum(environments) }),
  /** Of the user who is logged in. */
  user_id: z.uuid(),
  /** Users for whom the user may create tokens, the user first. */
  users: z.array(clientUser.pick({ id: true, email: true, role: true })),
  /** `created_by` is `operator` for a token that an operator created. */
  tokens: z.array(serviceToken),
});

export const consoleTokenRoutes = routes("console", {
  listConsoleTokens: route("get", `${CONSOLE_PATH}/:slug/tokens`, {
    summary: "List your service tokens",
    callers: TENANT_USERS,
    params: ofTenant,
    answer: consoleTokenList,
  }),
  createConsoleToken: route("put", `${CONSOLE_PATH}/:slug/tokens/:id`, {
    summary: "Create a service token",
    callers: TENANT_USERS,
    params: ofToken,
    body: newServiceToken.partial({ client_user_id: true }),
    answer: createdServiceToken,
    status: 201,
    refusals: ["conflict", "limit_exceeded", "no_account_capacity", "tenant_unavailable"],
  }),
  revokeConsoleToken: route("delete", `${CONSOLE_PATH}/:slug/tokens/:id`, {
    summary: "Revoke a service token",
    callers: TENANT_USERS,
    params: ofToken,
    refusals: ["limit_exceeded"],
  }),
});
