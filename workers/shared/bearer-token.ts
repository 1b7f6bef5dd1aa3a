/**
 * Whether a request carries `secret` as its bearer token. Compares digests, so that neither content nor length shows in the time
 * taken.
 *
 * @param secret without one no request does
 */
export async function hasBearerToken(headers: Headers, secret: string | undefined): Promise<boolean> {
  const sent = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (!sent || !secret) return false;
  const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const [left, right] = await Promise.all([digest(sent), digest(secret)]);
  return crypto.subtle.timingSafeEqual(left, right);
}
