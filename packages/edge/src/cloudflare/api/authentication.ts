/** The bearer token of the local API, compared in constant time. */
import { sameSecret } from "@tenantry/std/same-secret";
import { ApiError } from "./api-error.ts";

/** The token of `Authorization: Bearer …`. @throws ApiError 401 when there is no such header, 400 when it holds no token */
export function bearerToken(headers: Headers): string {
  const header = headers.get("Authorization");
  if (header === null) throw new ApiError(401, 10000, "Authentication error");
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) throw new ApiError(400, 6003, "Invalid request headers");
  return token;
}

/**
 * A check of `Authorization: Bearer …`, given the permission group whose tokens are enough. The check @throws ApiError 400, 401 or 403
 * as Cloudflare does
 *
 * @param apiToken opens all of the API
 * @param permits whether a header holds a token that the account gave out, with a permission group
 */
export function bearerCheck(
  apiToken: string,
  permits: (header: string, group: string) => boolean,
): (request: Request, group?: string) => void {
  return (request, group) => {
    const token = bearerToken(request.headers);
    if (sameSecret(token, apiToken) || (group !== undefined && permits(`Bearer ${token}`, group))) return;
    if (new URL(request.url).pathname.endsWith("/tokens/verify")) throw new ApiError(401, 1000, "Invalid API Token");
    throw new ApiError(403, 10000, "Authentication error");
  };
}
