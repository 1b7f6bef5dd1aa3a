/** The session of the logged-in user in the API. */
import * as z from "zod";
import { named } from "#domain/entities/entity.ts";
import { user } from "#domain/entities/user.ts";
import { environments } from "#domain/environment.ts";
import { ROOTS_AND_TENANT_USERS, route, routes } from "../route.ts";

const colour = z.string().regex(/^#[0-9a-f]{6}$/i);
/** How a tenant's pages are branded: `Brand` in `workers/contracts/brand.ts`. */
const shownBrand = z.object({
  name: z.string(),
  colours: z.object({ accent: colour.optional(), background: colour.optional(), text: colour.optional() }),
  logo: z.url().optional(),
  support: z.email().optional(),
});

export const session = z.object({
  user: user.pick({ id: true, email: true, name: true }).extend({ role: z.enum(ROOTS_AND_TENANT_USERS) }),
  /** The only partner that a partner root has access to; null for every other user. */
  partner: named.nullable(),
  /** The tenant of its user; null for a root. */
  tenant: z
    .object({
      client: named,
      instance_id: z.uuid(),
      /** Address of the tenant's gateway. */
      address: z.url(),
      /** The partner's branding, or the platform's. */
      brand: shownBrand,
      /** Whether the user is a platform root who views the tenant as its ADMIN, and changes nothing. */
      read_only: z.boolean(),
    })
    .nullable(),
  environment: z.enum(environments),
  /** Deployed version of Tenantry, such as `0.2.0`. */
  version: z.string(),
  /** Parent domain of the tenants' hosts. */
  platform_domain: z.string(),
  /** Notice that every page shows; null for none. */
  notice: z.string().nullable(),
});
export type Session = z.infer<typeof session>;

export const sessionRoutes = routes("session", {
  getSession: route("get", "/session", {
    summary: "Get the logged-in user and the platform",
    callers: ROOTS_AND_TENANT_USERS,
    answer: session,
  }),
});
