import { sha256 } from "./hex.ts";

/** Returns the bearer token of a request; undefined without one. */
export const bearerToken = (headers: Headers): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

/** Whether the bearer token is one of `secrets`, in constant time. An undefined or empty secret matches no request. */
export async function hasBearerToken(headers: Headers, ...secrets: (string | undefined)[]): Promise<boolean> {
  const sent = bearerToken(headers);
  if (!sent) return false;
  const left = await sha256(sent);
  const valid = secrets.flatMap((secret) => (secret ? [sha256(secret)] : []));
  return (await Promise.all(valid)).some((right) => crypto.subtle.timingSafeEqual(left, right));
}
