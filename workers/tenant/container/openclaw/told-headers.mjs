/** Headers by which OpenClaw is told who asks, of whom the platform knows. */
import { ROLE_HEADER, USER_HEADER } from "./platform-config.mjs";

/** An address of nobody (RFC 5737), for a client of which none is known that OpenClaw would take. */
export const NOWHERE = "192.0.2.1";

/**
 * Adds them to a request, from which all that told of somebody was taken before.
 *
 * @param asker `user`, `role`, `scopes`, and `address` and `scheme` by which it comes
 */
export function tell(request, { user, role, scopes, address, scheme }) {
  const told = {
    [USER_HEADER]: user,
    [ROLE_HEADER]: role,
    "x-openclaw-scopes": scopes.join(","),
    "x-forwarded-for": address,
    "x-forwarded-proto": scheme,
    "x-forwarded-host": request.headers.host ?? "",
  };
  for (const [name, value] of Object.entries(told)) {
    request.headers[name] = value;
    request.headersDistinct[name] = [value];
    request.rawHeaders.push(name, value);
  }
}
