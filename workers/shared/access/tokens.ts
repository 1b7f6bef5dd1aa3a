/** Reads Access tokens from a request and removes them. */
const HEADER_PREFIX = "cf-access-";
const ASSERTION_HEADER = "cf-access-jwt-assertion";
const ACCESS_COOKIE = "CF_Authorization";
const ACCESS_COOKIES = /^CF_(?:Authorization|AppSession|Session|Binding)\s*=/i;
/** Another host of the domain can set more cookies of this name. */
const MAX_TOKENS = 8;

/** Returns the tokens of the header and of all cookies, because a cookie of another host may precede the user's own. */
export function accessTokens(headers: Headers): string[] {
  return [...eachAccessToken(headers)];
}

export function hasAccessToken(headers: Headers): boolean {
  return headers.has(ASSERTION_HEADER) || (headers.get("cookie")?.includes(ACCESS_COOKIE) ?? false);
}

/** Like {@link accessTokens}, but reads cookies only if needed. */
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

export function assertedToken(headers: Headers): string | undefined {
  return headers.get(ASSERTION_HEADER)?.trim();
}

/** Access's headers hold tokens, secrets and the user's e-mail address. @param name in lower case */
export function isAccessHeader(name: string): boolean {
  return name.startsWith(HEADER_PREFIX);
}

/** Removes Access's headers and cookies in place. */
export function removeAccess(headers: Headers): void {
  for (const name of [...headers.keys()]) if (isAccessHeader(name)) headers.delete(name);
  if (headers.has("cookie")) removeAccessCookies(headers);
}

export function removeAccessCookies(headers: Headers): void {
  const remaining = withoutAccessCookies(headers.get("cookie") ?? "");
  if (remaining === undefined) headers.delete("cookie");
  else headers.set("cookie", remaining);
}

/** @returns a `Cookie` header without Access's cookies; undefined when none remains */
export function withoutAccessCookies(cookies: string): string | undefined {
  let remaining: string | undefined;
  for (const cookie of splitCookies(cookies)) {
    const text = cookie.trim();
    if (text !== "" && !ACCESS_COOKIES.test(text)) remaining = remaining === undefined ? text : `${remaining}; ${text}`;
  }
  return remaining;
}

/** Joined `Cookie` headers have commas; tokens have none. */
const SEPARATOR = /;|,(?=\s*CF_)/;

function splitCookies(cookies: string): string[] {
  // A pattern search in a long token is slow.
  return cookies.split(cookies.includes(",") ? SEPARATOR : ";");
}

function unquoted(value: string): string {
  const text = value.trim();
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
