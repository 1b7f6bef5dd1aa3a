/**
 * Whether a request's `Origin` is the address that it was sent to. Its scheme counts where the request came by https: behind what ends
 * TLS in front of a Worker, as on the local edge, there is none to compare with.
 */
export function isOwnOrigin(origin: string, url: URL): boolean {
  const from = URL.parse(origin);
  return from !== null && from.host === url.host && (url.protocol !== "https:" || from.protocol === "https:");
}
