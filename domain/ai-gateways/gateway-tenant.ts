/**
 * Name of a tenant at AI gateways (`tenant` in a request's metadata): its slug, with a number if earlier clients had the slug. Spend is
 * counted by this name, so that no client inherits that of an earlier one.
 */

/** Not allowed in slugs. */
const SEPARATOR = "~";

/** @param earlier number of earlier clients with the slug */
export const gatewayTenant = (slug: string, earlier: number): string =>
  earlier === 0 ? slug : `${slug}${SEPARATOR}${earlier + 1}`;

/** Returns the slug in a {@link gatewayTenant}. */
export const slugOfGatewayTenant = (tenant: string): string => tenant.split(SEPARATOR, 1)[0] ?? "";
