/** What a stack's file declares of a tenant, made of what the database holds of it: one form for whoever writes such a file, or shows it. */
import type { Environment } from "../environment.ts";
import type { Plan } from "../plans/plan.ts";
import type { ClientState } from "./instance-state.ts";

/** A tenant as its rows have it. */
export interface DeclarableTenant {
  slug: string;
  name: string;
  plan: Plan;
  status: ClientState;
  /** Slug of its partner; null for an internal client. */
  partner: string | null;
  /** Null for a client without one. */
  instance: {
    /** AI gateway that it binds, by its id at Cloudflare; null where it binds none. */
    gatewayId: string | null;
    tokenVersion: number;
    /** Image that it is wanted to run, as it is called; null for the platform's. */
    image: string | null;
  } | null;
}

/** An entry of `tenantry:clients`; what is as it is by default is left out. */
export function declaredClient({ slug, name, plan, status, partner, instance }: DeclarableTenant): object {
  const { gatewayId = null, image = null, tokenVersion = 1 } = instance ?? {};
  const own = {
    ...(gatewayId !== null && { aiGateway: gatewayId }),
    ...(image !== null && { image }),
    ...(tokenVersion !== 1 && { tokenVersion }),
  };
  return {
    ...{ slug, name, ...(partner !== null && { partner }), plan, status },
    ...(Object.keys(own).length > 0 && { instances: [own] }),
  };
}

export interface TenantsStack {
  environment: Environment;
  /** Stack that holds the platform. */
  platformStack: string;
  /** Other settings, by their keys. Default: none. */
  more?: Readonly<Record<string, unknown>>;
  clients: readonly object[];
}

/** `config` of a stack of tenants. */
export function tenantsConfig({
  environment,
  platformStack,
  more = {},
  clients,
}: TenantsStack): Record<string, unknown> {
  return {
    // Production is what a file says that says nothing.
    ...(environment !== "production" && { "tenantry:environment": environment }),
    "tenantry:platformStack": platformStack,
    ...more,
    "tenantry:clients": clients,
  };
}
