/**
 * Name of a tenant at AI gateways (`tenant` in a request's metadata): its slug, with a number if earlier clients had the slug. Spend is
 * counted by this name, so that no client inherits that of an earlier one.
 */

/** Entry of the metadata of a request with a tenant's own provider key. Only the tenant's Worker can set it. */
export const OWN_PAYER = { payer: "tenant" } as const;

export const isOwnPayer = (metadata: Readonly<Record<string, unknown>>): boolean => metadata.payer === OWN_PAYER.payer;

/** Not allowed in slugs. */
const SEPARATOR = "~";

/** @param earlier number of earlier clients with the slug */
export const gatewayTenant = (slug: string, earlier: number): string =>
  earlier === 0 ? slug : `${slug}${SEPARATOR}${earlier + 1}`;

/** Returns the slug in a {@link gatewayTenant}. */
export const slugOfGatewayTenant = (tenant: string): string => tenant.split(SEPARATOR, 1)[0] ?? "";
