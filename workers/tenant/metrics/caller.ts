import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { ROLE_HEADER } from "#workers/contracts/platform-headers.ts";
import { role } from "#workers/contracts/roles.ts";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";

/** Only the gateway and the tenant's administrators may write usage. @returns the refusal; `undefined` when the caller is permitted */
export async function refuseCaller(request: Request, gatewayToken: string): Promise<Response | undefined> {
  const caller = role.safeParse(request.headers.get(ROLE_HEADER)).data;
  if (caller === "ADMIN" || caller === "ROOT") return undefined;
  if (await hasBearerToken(request.headers, gatewayToken)) return undefined;
  if (caller !== undefined) return errorResponse(workerErrors.metrics_requires_admin);
  return errorResponse(workerErrors.metrics_token_missing, {}, { headers: { "www-authenticate": "Bearer" } });
}
