import { UserError } from "@tenantry/plugin-host";
import { foreignOwner, isForeign } from "#domain/tenants/owner.ts";

/** Whether two URNs are of one stack. */
export const isSameStack = (one: string, other: string): boolean => !isForeign(one, other);

/** Who is to have something live. */
export interface Claim {
  /** URN of the resource that is to have it. */
  owner: string;
  /** Whether it may be had though it is another stack's. Default: no. */
  takeOver?: boolean;
}

/**
 * @param live what is claimed: as a sentence begins with it, its name for a take-over, and whose it is, as a URN or `{project}/{stack}`
 * @param before an owner that may have handed it over, as the state tells
 * @throws UserError when it is another stack's
 */
export function refuseForeign(
  { owner, takeOver = false }: Claim,
  live: { what: string; name: string; owner: string | undefined },
  before?: string,
): void {
  const found = live.owner;
  if (takeOver || found === undefined || !isForeign(found, owner)) return;
  if (!before || isForeign(found, before)) throw new UserError(foreignOwner(live.what, found, live.name));
}
