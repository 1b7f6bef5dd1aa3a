import type { ListedClientUser } from "#database/people/client-users.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { clientUser } from "#domain/entities/user.ts";
import type { ClientUser } from "#workers/contracts/api/people/invitations.ts";

export const clientUserBody = (user: ListedClientUser): ClientUser => bodyOf(clientUser, user);
