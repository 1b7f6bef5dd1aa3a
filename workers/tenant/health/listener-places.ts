/** How many may listen to the health stream: strangers and those who are known have places of their own. */
import { CALLER_HEADER, type Caller, callers, ROLE_HEADER } from "#workers/contracts/platform-headers.ts";

/** Listeners of each kind that a tenant may have at one time. */
export const PLACES = 100;

/**
 * Who opens the stream; also the tag of the listener's socket, so that it is known after hibernation. Whoever has a role was let in as
 * a user, by whichever path; whoever is not told of is a stranger.
 *
 * @param headers as the dispatch Worker set them
 */
export function listenerKind(headers: Headers): Caller {
  const told = callers.find((caller) => caller === headers.get(CALLER_HEADER));
  return told ?? (headers.has(ROLE_HEADER) ? "user" : "anonymous");
}
