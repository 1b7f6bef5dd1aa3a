import type { User } from "#workers/contracts/api/people/users.ts";

export const ROLE_NAMES: Readonly<Record<User["role"], string>> = {
  ROOT: "Platform root",
  PARTNER_ROOT: "Partner root",
  ADMIN: "Administrator",
  BASE_USER: "Chat only",
};

/** The roles that a user can have in a client. */
export const CLIENT_ROLE_CHOICES = (["BASE_USER", "ADMIN"] as const).map((value) => ({
  value,
  name: ROLE_NAMES[value],
}));
