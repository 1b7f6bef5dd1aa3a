/** A user as the API shows it. */
import type { ListedUser } from "#database/people/users.ts";
import type { memberStates, User } from "#workers/contracts/api/people/users.ts";

/** From the least far. */
const FURTHER = ["rejected", "invited", "validated"] as const satisfies readonly (typeof memberStates)[number][];

export function userBody(user: ListedUser): User {
  const { id, kind, email, name, role, partner_id, cf_access_identity, managed_by, version, memberships } = user;
  const validated = memberships
    .flatMap(({ validated_at }) => validated_at ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  const validatedAt = kind === "dashboard" ? user.created_at : validated[0];
  return {
    id,
    kind,
    email,
    name,
    role,
    partner_id,
    status: kind === "dashboard" ? "validated" : furthest(memberships.map(({ status }) => status)),
    validated_at: validatedAt?.toISOString() ?? null,
    cf_access_identity,
    instance_ids: memberships.flatMap(({ instance_ids }) => instance_ids),
    clients: memberships.map(({ validated_at: _, ...membership }) => membership),
    managed_by,
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    version,
  };
}

function furthest(states: readonly (typeof memberStates)[number][]): (typeof memberStates)[number] | null {
  const [last] = FURTHER.filter((state) => states.includes(state)).toReversed();
  return last ?? null;
}
