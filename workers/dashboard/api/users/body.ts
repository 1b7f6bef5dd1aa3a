/** A user as the API shows it. */
import type { ListedUser } from "#database/people/users.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { type MemberState, user } from "#domain/entities/user.ts";
import type { User } from "#workers/contracts/api/people/users.ts";

/** From the least to the most advanced. */
const ADVANCE = ["rejected", "invited", "validated"] as const satisfies readonly MemberState[];

export function userBody(row: ListedUser): User {
  const { kind, memberships } = row;
  const validated = memberships
    .flatMap(({ validated_at }) => validated_at ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  return bodyOf(user, {
    ...row,
    status: kind === "dashboard" ? "validated" : mostAdvanced(memberships.map(({ status }) => status)),
    validated_at: (kind === "dashboard" ? row.created_at : validated[0]) ?? null,
    instance_ids: memberships.flatMap(({ instance_ids }) => instance_ids),
    clients: memberships.map(({ validated_at: _, ...membership }) => membership),
  });
}

const mostAdvanced = (states: readonly MemberState[]): MemberState | null =>
  ADVANCE.findLast((state) => states.includes(state)) ?? null;
