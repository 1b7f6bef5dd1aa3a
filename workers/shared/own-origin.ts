/** Whether `Origin` is the request's own. Over http the scheme is unknown, because a proxy may terminate TLS. */
export function isOwnOrigin(origin: string, url: URL): boolean {
  const from = URL.parse(origin);
  return from !== null && from.host === url.host && (url.protocol !== "https:" || from.protocol === "https:");
}
