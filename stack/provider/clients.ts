import { cloudflareClient } from "@tenantry/cloudflare-client/client";
import { type ProcessVariables, UserError } from "@tenantry/plugin-host";
import type Cloudflare from "cloudflare";
import type pg from "pg";
import * as z from "zod";
import { errorText } from "#domain/errors/catalogue.ts";
import { providerErrors } from "#domain/errors/stack/provider.ts";
import type { DoorKeys } from "#workers/shared/doors/door-secrets.ts";
import { DurableObjectNamespaces } from "./containers/durable-object-namespaces.ts";
import { poolOf, requireUrl } from "./database/pool.ts";

/** Configuration of the provider `tenantry`; environment variables replace missing values. */
export const config = z.object({
  apiToken: z.string().optional(),
  baseUrl: z.string().optional(),
  databaseUrl: z.string().optional(),
  doorsKey: z.string().optional(),
  otherDoorsKey: z.string().optional(),
});

/** Clients of the provider's resources, each opened on first use. */
export interface Clients {
  cloudflare(): Cloudflare;
  /** One for the whole run of the engine. */
  durableObjectNamespaces(): DurableObjectNamespaces;
  database(): pg.Pool;
  databaseUrl(): string;
  doorKeys(): DoorKeys;
}

export function connectClients(given: z.infer<typeof config>, variables: ProcessVariables): Clients {
  const databaseUrl = () => requireUrl(given.databaseUrl ?? variables.TENANTRY_DATABASE_URL);
  const cloudflare = cloudflareClient(given, variables, "tenantry");
  let namespaces: DurableObjectNamespaces | undefined;
  return {
    cloudflare,
    durableObjectNamespaces() {
      namespaces ??= new DurableObjectNamespaces(cloudflare());
      return namespaces;
    },
    database: () => poolOf(databaseUrl()),
    databaseUrl,
    doorKeys() {
      if (!given.doorsKey) throw new UserError(errorText(providerErrors.provider_doors_key_missing));
      return { used: given.doorsKey, other: given.otherDoorsKey || undefined };
    },
  };
}
