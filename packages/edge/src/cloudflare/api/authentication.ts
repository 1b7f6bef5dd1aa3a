import { ApiError } from "./operations.ts";

/** Returns the token of `Authorization: Bearer …`. @throws ApiError 401 without the header, 400 without a token */
export function bearerToken(headers: Headers): string {
  const header = headers.get("Authorization");
  if (header === null) throw new ApiError(401, 10000, "Authentication error");
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) throw new ApiError(400, 6003, "Invalid request headers");
  return token;
}

/** @param permits whether a header has an account token with one of the groups @returns a check that throws an ApiError 400, 401 or 403 */
export function bearerCheck(
  isOwnToken: (token: string) => boolean,
  permits: (header: string, groups: readonly string[]) => boolean,
): (request: Request, groups?: readonly string[]) => void {
  return (request, groups = []) => {
    const token = bearerToken(request.headers);
    if (isOwnToken(token) || permits(`Bearer ${token}`, groups)) return;
    throw new ApiError(403, 10000, "Authentication error");
  };
}
