/**
 * Name of a tenant at AI gateways (`tenant` in a request's metadata): its slug, with a number if earlier clients had the slug. Spend is
 * counted by this name, so that no client inherits that of an earlier one.
 */

/** Entry of the metadata of a request with a tenant's own provider key. Only the tenant's Worker can set it. */
export const OWN_PAYER = { payer: "tenant" } as const;

export const isOwnPayer = (metadata: Readonly<Record<string, unknown>>): boolean => metadata.payer === OWN_PAYER.payer;

/**
 * Entry of the metadata that names the person or program for whom the container calls a model. The container states it, so it is no proof; only
 * its own tenant sees it.
 */
export const PERSON = "person";
export const MAX_PERSON_LENGTH = 128;

/** Returns the person in the metadata of a call; undefined if it is unknown. */
export function personOf(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const person = metadata[PERSON];
  return typeof person === "string" && person !== "" ? person.slice(0, MAX_PERSON_LENGTH) : undefined;
}

/** Not allowed in slugs. */
const SEPARATOR = "~";

/** @param earlier number of earlier clients with the slug */
export const gatewayTenant = (slug: string, earlier: number): string =>
  earlier === 0 ? slug : `${slug}${SEPARATOR}${earlier + 1}`;

/** Returns the slug in a {@link gatewayTenant}. */
export const slugOfGatewayTenant = (tenant: string): string => tenant.split(SEPARATOR, 1)[0] ?? "";
