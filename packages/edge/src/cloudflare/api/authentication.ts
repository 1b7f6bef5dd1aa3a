import { equalSecrets } from "@tenantry/std/same-secret";
import { ApiError } from "./operations.ts";

/** Returns the token of `Authorization: Bearer …`. @throws ApiError 401 without the header, 400 without a token */
export function bearerToken(headers: Headers): string {
  const header = headers.get("Authorization");
  if (header === null) throw new ApiError(401, 10000, "Authentication error");
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) throw new ApiError(400, 6003, "Invalid request headers");
  return token;
}

/** An account's token verifies itself without a permission (api/resources/accounts/subresources/tokens/methods/verify). */
const OWN_VERIFY = /\/accounts\/[^/]+\/tokens\/verify$/;

/**
 * @param permits whether a header has an account token with a permission group; any account token without one
 * @returns a check that throws an ApiError 400, 401 or 403
 */
export function bearerCheck(
  apiToken: string,
  permits: (header: string, group?: string) => boolean,
): (request: Request, group?: string) => void {
  return (request, group) => {
    const token = bearerToken(request.headers);
    const { pathname } = new URL(request.url);
    const isAllowed = group !== undefined || OWN_VERIFY.test(pathname);
    if (equalSecrets(token, apiToken) || (isAllowed && permits(`Bearer ${token}`, group))) return;
    if (pathname.endsWith("/tokens/verify")) throw new ApiError(401, 1000, "Invalid API Token");
    throw new ApiError(403, 10000, "Authentication error");
  };
}
