/** Tenants' own keys for model providers in the API. */
import * as z from "zod";
import { providerKey } from "#domain/entities/provider-key.ts";
import { keyProviders, PROVIDER_KEY, PROVIDER_KEY_FAULT } from "#domain/provider-keys/providers.ts";
import { ROOTS_AND_ADMINS, route, routes } from "../route.ts";

export type ProviderKey = z.infer<typeof providerKey>;

const ofProvider = z.object({ instance_id: z.uuid(), provider: z.enum(keyProviders) });

export const providerKeyRoutes = routes("provider keys", {
  listProviderKeys: route("get", "/api/instances/:instance_id/provider-keys", {
    summary: "List an instance's provider keys",
    callers: ROOTS_AND_ADMINS,
    params: z.object({ instance_id: z.uuid() }),
    answer: z.object({ data: z.array(providerKey) }),
  }),
  putProviderKey: route("put", "/api/instances/:instance_id/provider-keys/:provider", {
    summary: "Store a provider key",
    callers: ROOTS_AND_ADMINS,
    params: ofProvider,
    body: z.strictObject({
      /** Spaces around a pasted text are removed. */
      key: z.string().trim().regex(PROVIDER_KEY, PROVIDER_KEY_FAULT),
    }),
    answer: providerKey,
    refusals: ["conflict", "limit_exceeded", "tenant_unavailable"],
  }),
  deleteProviderKey: route("delete", "/api/instances/:instance_id/provider-keys/:provider", {
    summary: "Delete a provider key",
    callers: ROOTS_AND_ADMINS,
    params: ofProvider,
  }),
});
