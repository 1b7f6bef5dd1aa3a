const DEFAULT_SECONDS = "30";

/** Returns the seconds that a vendor's response asks to wait; 30 without a number of seconds. */
export function secondsToWait(headers: Headers): string {
  const stated = headers.get("retry-after") ?? "";
  return /^\d{1,5}$/.test(stated) ? stated : DEFAULT_SECONDS;
}
