import type { ClientUser } from "#workers/contracts/api/people/invitations.ts";

export const ROLE_NAMES: Readonly<Record<ClientUser["role"], string>> = { ADMIN: "Administrator", BASE_USER: "User" };

export const ROLE_CHOICES = (["BASE_USER", "ADMIN"] as const).map((value) => ({ value, name: ROLE_NAMES[value] }));
