/** Headers of a request that leaves the container. */
import { HOP_BY_HOP } from "@tenantry/std/hop-by-hop";
import { PLATFORM_HEADER_PREFIX } from "#workers/contracts/platform-headers.ts";

/** The runtime derives them from URL and body. */
const DERIVED = ["host", "content-length"];
/** RFC 8586. A program in the container that passes requests on passes this header on too. */
const LOOP_HEADER = "cdn-loop";
const OWN_NAME = "tenantry";

/** Whether a request passed a tenant's Worker on its way into the container, so that passing it again could repeat forever. */
export function isLoop(headers: Headers): boolean {
  const names = headers.get(LOOP_HEADER)?.split(",") ?? [];
  return names.some((name) => name.split(";")[0]?.trim().toLowerCase() === OWN_NAME);
}

/** Whether a request opens a WebSocket. */
export const isUpgrade = (headers: Headers): boolean => headers.get("upgrade")?.toLowerCase() === "websocket";

/** Returns the headers without those of the connection and those that only the platform may set. */
export function outboundHeaders(given: Headers): Headers {
  const headers = new Headers(given);
  const ofConnection = given.get("connection")?.split(",") ?? [];
  for (const name of ofConnection) deleteHeader(headers, name.trim());
  for (const name of [...HOP_BY_HOP, ...DERIVED]) headers.delete(name);
  for (const name of given.keys()) if (name.startsWith(PLATFORM_HEADER_PREFIX)) headers.delete(name);
  if (isUpgrade(given)) headers.set("upgrade", "websocket");
  // The runtime would ask for a compression that the container does not.
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
  headers.append(LOOP_HEADER, OWN_NAME);
  return headers;
}

/** Ignores a name that no header can have. */
function deleteHeader(headers: Headers, name: string): void {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers.delete(name);
}
