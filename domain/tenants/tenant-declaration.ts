/** Renders the declaration of a tenant in a stack file from its rows. */
import type { Environment } from "../environment.ts";
import type { Plan } from "../plans/plan.ts";
import type { ClientState } from "./instance-state.ts";

export interface DeclarableTenant {
  slug: string;
  name: string;
  plan: Plan;
  status: ClientState;
  /** Slug of its partner; null for an internal client. */
  partner: string | null;
  instance: {
    /** ID at Cloudflare; null without an AI gateway. */
    gatewayId: string | null;
    tokenVersion: number;
    /** Reference of its image; null for the platform's. */
    image: string | null;
  } | null;
}

/** Returns an entry of `tenantry:clients` without default values. */
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
  /** Stack of the platform. */
  platformStack: string;
  /** Other settings by key. Default: none. */
  more?: Readonly<Record<string, unknown>>;
  clients: readonly object[];
}

/** Returns `config` of a stack of tenants. */
export function tenantsConfig({
  environment,
  platformStack,
  more = {},
  clients,
}: TenantsStack): Record<string, unknown> {
  return {
    // Production is the default.
    ...(environment !== "production" && { "tenantry:environment": environment }),
    "tenantry:platformStack": platformStack,
    ...more,
    "tenantry:clients": clients,
  };
}
