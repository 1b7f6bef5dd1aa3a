/**
 * How AI gateways call a tenant (`tenant` in a request's metadata): by its slug and, where earlier clients had the slug, by which one it is. AI
 * gateways count what a tenant spends under this name, so that nobody inherits what an earlier client spent.
 */

/** Not allowed in slugs. */
const SEPARATOR = "~";

/** @param earlier how many clients had the slug before */
export const gatewayTenant = (slug: string, earlier: number): string =>
  earlier === 0 ? slug : `${slug}${SEPARATOR}${earlier + 1}`;

/** The slug of a {@link gatewayTenant}. */
export const slugOfGatewayTenant = (tenant: string): string => tenant.split(SEPARATOR, 1)[0] ?? "";
