/** Where a request carries its Access token, and how to take it out again. */

const HEADER_PREFIX = "cf-access-";
const ASSERTION_HEADER = "cf-access-jwt-assertion";
const ACCESS_COOKIE = "CF_Authorization";
/** Any cookie of Access's own. */
const OWN_COOKIE = /^CF_(?:Authorization|AppSession|Session|Binding)\s*=/i;
/** A request carries one; a few more may be planted by a neighbouring host. */
const MAX_TOKENS = 8;

/**
 * The tokens of a request, the header's first. Every cookie of the name counts: a cookie that another host of the domain
 * has planted comes first and must not lock its user out.
 */
export function accessTokens(headers: Headers): string[] {
  return [...eachAccessToken(headers)];
}

/** Whether a request carries anything that may be a token. */
export function hasAccessToken(headers: Headers): boolean {
  return headers.has(ASSERTION_HEADER) || (headers.get("cookie")?.includes(ACCESS_COOKIE) ?? false);
}

/** {@link accessTokens} one by one: who stops at the header's has read no cookie. */
export function* eachAccessToken(headers: Headers): Generator<string, void> {
  const assertion = assertedToken(headers);
  if (assertion) yield assertion;
  const cookies = headers.get("cookie");
  if (!cookies?.includes(ACCESS_COOKIE)) return;
  const tokens = new Set(assertion ? [assertion] : []);
  for (const cookie of splitCookies(cookies)) {
    const equals = cookie.indexOf("=");
    if (equals < 0 || cookie.slice(0, equals).trim() !== ACCESS_COOKIE) continue;
    const token = unquoted(cookie.slice(equals + 1));
    if (token === "" || tokens.has(token)) continue;
    if (tokens.size === MAX_TOKENS) return;
    tokens.add(token);
    yield token;
  }
}

/** The token of the header, which comes first; empty or `undefined` when there is none. */
export function assertedToken(headers: Headers): string | undefined {
  return headers.get(ASSERTION_HEADER)?.trim();
}

/** Whether a header is one of Access's own, which hold tokens, service-token secrets and the user's e-mail. @param name in lower case */
export function isAccessHeader(name: string): boolean {
  return name.startsWith(HEADER_PREFIX);
}

/** Takes out of a request's headers, in place, all by which its user could be acted for elsewhere. */
export function removeAccess(headers: Headers): void {
  for (const name of [...headers.keys()]) if (isAccessHeader(name)) headers.delete(name);
  if (headers.has("cookie")) removeAccessCookies(headers);
}

/** Takes Access's own cookies out of a request's headers, in place. */
export function removeAccessCookies(headers: Headers): void {
  const kept = withoutAccessCookies(headers.get("cookie") ?? "");
  if (kept === undefined) headers.delete("cookie");
  else headers.set("cookie", kept);
}

/** A `Cookie` header without Access's own cookies; `undefined` when nothing remains. */
export function withoutAccessCookies(cookies: string): string | undefined {
  let kept: string | undefined;
  for (const cookie of splitCookies(cookies)) {
    const text = cookie.trim();
    if (text !== "" && !OWN_COOKIE.test(text)) kept = kept === undefined ? text : `${kept}; ${text}`;
  }
  return kept;
}

/** What separates several `Cookie` headers that were joined into one; no token has a comma. */
const SEPARATOR = /;|,(?=\s*CF_)/;

function splitCookies(cookies: string): string[] {
  // A token is long, and searching it for a pattern costs more than all else here.
  return cookies.split(cookies.includes(",") ? SEPARATOR : ";");
}

function unquoted(value: string): string {
  const text = value.trim();
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
