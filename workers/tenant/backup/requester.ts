import {
  decodeAs,
  decodeUser,
  REQUESTER_HEADER,
  ROLE_HEADER,
  USER_HEADER,
} from "#workers/contracts/platform-headers.ts";
import { type Requester, requester } from "#workers/contracts/tenant/backup.ts";

/** Returns the user of a request, or the person for whom the platform sends it. The dispatch Worker removes these headers of others. */
export function requesterIn(headers: Headers): Requester | undefined {
  const [user, role] = [headers.get(USER_HEADER), headers.get(ROLE_HEADER)];
  if (user !== null && role !== null) return { by: decodeUser(user), role };
  const given = headers.get(REQUESTER_HEADER);
  return given === null ? undefined : decodeAs(requester, given);
}
