/** Returns the pause that a response asks for, in milliseconds; undefined without a number in `Retry-After`. */
export function retryAfterMs(headers: Pick<Headers, "get"> | undefined): number | undefined {
  const seconds = Number(headers?.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}
