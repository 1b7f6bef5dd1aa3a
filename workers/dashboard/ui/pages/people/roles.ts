import type { User } from "#workers/contracts/api/people/users.ts";

export const USER_ROLES: Readonly<Record<User["role"], string>> = {
  ROOT: "Platform root",
  PARTNER_ROOT: "Partner root",
  ADMIN: "Administrator",
  BASE_USER: "User",
};
