/** The bearer token of the local API, compared in constant time. */
import { sameSecret } from "../../http/same-secret.ts";
import { ApiError } from "./api-error.ts";

/** A check of `Authorization: Bearer …`. The check @throws ApiError 400, 401 or 403 as Cloudflare does */
export function bearerCheck(apiToken: string): (request: Request) => void {
  return (request) => {
    const header = request.headers.get("Authorization");
    if (header === null) throw new ApiError(401, 10000, "Authentication error");
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
    if (token === undefined) throw new ApiError(400, 6003, "Invalid request headers");
    if (sameSecret(token, apiToken)) return;
    if (new URL(request.url).pathname.endsWith("/tokens/verify")) throw new ApiError(401, 1000, "Invalid API Token");
    throw new ApiError(403, 10000, "Authentication error");
  };
}
