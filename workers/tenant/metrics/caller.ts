/** Who may write usage: the gateway itself, and the tenant's administrators. */

import { errorResponse } from "#workers/contracts/errors.ts";
import { ROLE_HEADER } from "#workers/contracts/platform-headers.ts";
import { role } from "#workers/contracts/roles.ts";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";

/** @returns why the caller may not; `undefined` when it may */
export async function refuseCaller(request: Request, gatewayToken: string): Promise<Response | undefined> {
  const caller = role.safeParse(request.headers.get(ROLE_HEADER)).data;
  if (caller === "ADMIN" || caller === "ROOT") return undefined;
  if (await hasBearerToken(request.headers, gatewayToken)) return undefined;
  if (caller !== undefined)
    return errorResponse("forbidden", "Usage is written by the gateway or with the role ADMIN or ROOT.");
  return errorResponse("authentication_required", "Send the gateway's token as a bearer token.", {
    headers: { "www-authenticate": "Bearer" },
  });
}
