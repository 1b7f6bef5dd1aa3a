/** The user who calls the API (spec: "Dashboard authorization levels"). */
import * as z from "zod";
import { named } from "#domain/entities/entity.ts";
import { clientUser, user } from "#domain/entities/user.ts";
import type { Role } from "#workers/contracts/api/route.ts";
import { type ShownPartner, shownPartner } from "#workers/contracts/branding.ts";

const dashboardUser = user.pick({ id: true, email: true, name: true });

export interface Caller extends z.infer<typeof dashboardUser> {
  role: Role;
  /** The only partner that a partner root has access to; `undefined` for every other caller. */
  partnerId: string | undefined;
  /** The tenant of its user; `undefined` for a root. */
  tenant: CallersTenant | undefined;
}

export interface CallersTenant {
  clientId: string;
  instanceId: string;
  slug: string;
  name: string;
  brand: ShownPartner | null;
  /** Addresses of the client's ADMINs, who are named in its rows. */
  admins: readonly string[];
  /** Client ID of the service token that acts for the user; undefined for the user. */
  serviceToken: string | undefined;
  /** Whether the caller is a platform root who views the tenant as its ADMIN, and changes nothing. */
  readOnly: boolean;
}

const found = z.discriminatedUnion("role", [
  dashboardUser.extend({ role: z.literal("ROOT"), partner_id: z.null() }),
  dashboardUser.extend({ role: z.literal("PARTNER_ROOT"), partner_id: z.uuid() }),
]);

/** @param value result of the database's `dashboard.find_caller` */
export function parseCaller(value: unknown): Caller {
  const { partner_id, ...caller } = found.parse(value);
  return { ...caller, partnerId: partner_id ?? undefined, tenant: undefined };
}

const foundTenantUser = clientUser.pick({ id: true, email: true, name: true, role: true }).extend({
  client: named.omit({ id: true }),
  client_id: z.uuid(),
  instance_id: z.uuid(),
  partner: shownPartner.nullable(),
  admins: z.array(z.string()),
  read_only: z.boolean(),
});

/** @param value result of the database's `dashboard.find_tenant_caller` or `find_viewer` */
export function parseTenantCaller(value: unknown, serviceToken?: string): Caller {
  const { client, client_id, instance_id, partner, admins, read_only, ...caller } = foundTenantUser.parse(value);
  const tenant = {
    clientId: client_id,
    instanceId: instance_id,
    ...client,
    brand: partner,
    admins,
    readOnly: read_only,
    serviceToken,
  };
  return { ...caller, partnerId: undefined, tenant };
}
