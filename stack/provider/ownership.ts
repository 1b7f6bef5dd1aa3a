import { UserError } from "@tenantry/plugin-host";
import { foreignOwner, isForeign } from "#domain/tenants/owner.ts";

export const isSameStack = (one: string, other: string): boolean => !isForeign(one, other);

export interface Claim {
  owner: string;
  /** Whether it may be taken over from another stack. Default: false. */
  takeOver?: boolean;
}

/**
 * @param live the claimed thing: subject of the message, name for a take-over, and owner as a URN or `{project}/{stack}`
 * @param before the owner in the state, which may have handed it over
 * @throws UserError if another stack owns it
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
