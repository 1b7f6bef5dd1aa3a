/** Own provider keys in the console, for a tenant's ADMINs. */
import * as z from "zod";
import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { providerKey } from "#domain/entities/provider-key.ts";
import { keyProviders } from "#domain/provider-keys/providers.ts";
import { route, routes, TENANT_ADMINS } from "../route.ts";
import { providerKeyRoutes } from "../tenants/provider-keys.ts";
import { ofTenant } from "./tenant.ts";

const ofProvider = ofTenant.extend({ provider: z.enum(keyProviders) });

/** `created_by` is `operator` for a key that an operator stored. */
export const consoleProviderKeyRoutes = routes("console provider keys", {
  listConsoleProviderKeys: route("get", `${CONSOLE_PATH}/:slug/provider-keys`, {
    summary: "List your tenant's provider keys",
    callers: TENANT_ADMINS,
    params: ofTenant,
    answer: z.object({ data: z.array(providerKey) }),
  }),
  putConsoleProviderKey: route("put", `${CONSOLE_PATH}/:slug/provider-keys/:provider`, {
    summary: "Store a provider key of your tenant",
    callers: TENANT_ADMINS,
    params: ofProvider,
    body: providerKeyRoutes.putProviderKey.body,
    answer: providerKey,
    refusals: ["limit_exceeded"],
  }),
  deleteConsoleProviderKey: route("delete", `${CONSOLE_PATH}/:slug/provider-keys/:provider`, {
    summary: "Delete a provider key of your tenant",
    callers: TENANT_ADMINS,
    params: ofProvider,
    refusals: ["limit_exceeded"],
  }),
});
