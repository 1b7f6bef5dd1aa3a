import { ROLE_HEADER, USER_HEADER } from "./platform-config.mjs";

/** An unused address (RFC 5737), for a client whose address is unknown or that OpenClaw would not accept. */
export const UNKNOWN_ADDRESS = "192.0.2.1";

/** Adds identity headers to a request, from which all such headers were removed. */
export function setIdentity(request, { user, role, scopes, address, scheme }) {
  setHeaders(request, {
    [USER_HEADER]: user,
    [ROLE_HEADER]: role,
    "x-openclaw-scopes": scopes.join(","),
    "x-forwarded-for": address,
    "x-forwarded-proto": scheme,
    "x-forwarded-host": request.headers.host ?? "",
  });
}

/** Adds headers that a request does not have. */
export function setHeaders(request, headers) {
  for (const [name, value] of Object.entries(headers)) {
    request.headers[name] = value;
    request.headersDistinct[name] = [value];
    request.rawHeaders.push(name, value);
  }
}

/** Removes headers from a request. @param isRemoved is given a name in lower case */
export function removeHeaders(request, isRemoved) {
  // Read first, since Node derives them from the raw headers on first access.
  for (const all of [request.headers, request.headersDistinct])
    for (const name of Object.keys(all)) if (isRemoved(name)) delete all[name];
  request.rawHeaders = request.rawHeaders.filter((_, index, raw) => !isRemoved(raw[index - (index % 2)].toLowerCase()));
}
