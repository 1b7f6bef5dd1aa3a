import type { User } from "#workers/contracts/api/people/users.ts";

/** What roles are called here; a person's is the one that clients give unless they say otherwise. */
export const USER_ROLES: Readonly<Record<User["role"], string>> = {
  ROOT: "Platform root",
  PARTNER_ROOT: "Partner root",
  ADMIN: "Administrator",
  BASE_USER: "User",
};
