/** Where a request carries its Access token, and how to take it out again. */

export const ASSERTION_HEADER = "cf-access-jwt-assertion";
export const ACCESS_COOKIE = "CF_Authorization";
/** A request carries one; a few more may be planted by a neighbouring host. */
const MAX_TOKENS = 8;

/**
 * The tokens of a request, the header's first. Every cookie of the name counts: a cookie that another host of the domain
 * has planted comes first and must not lock its user out.
 */
export function accessTokens(headers: Headers): string[] {
  const tokens = new Set<string>();
  const assertion = headers.get(ASSERTION_HEADER)?.trim();
  if (assertion) tokens.add(assertion);
  const cookies = headers.get("cookie");
  if (cookies?.includes(ACCESS_COOKIE)) {
    for (const [name, value] of splitCookies(cookies)) if (name === ACCESS_COOKIE && value) tokens.add(value);
  }
  return [...tokens].slice(0, MAX_TOKENS);
}

/** A `Cookie` header without Access's own cookies; `undefined` when nothing remains. */
export function withoutAccessCookies(cookies: string): string | undefined {
  const kept = splitCookies(cookies).filter(([name]) => !/^CF_(Authorization|AppSession|Session|Binding)$/i.test(name));
  return kept.length === 0 ? undefined : kept.map(([, , text]) => text).join("; ");
}

/** What separates several `Cookie` headers that were joined into one; no token has a comma. */
const SEPARATOR = /;|,(?=\s*CF_)/;

function splitCookies(cookies: string): [name: string, value: string, text: string][] {
  const found: [string, string, string][] = [];
  // A token is long, and searching it for a pattern costs more than all else here.
  for (const part of cookies.split(cookies.includes(",") ? SEPARATOR : ";")) {
    const text = part.trim();
    if (text === "") continue;
    const equals = text.indexOf("=");
    found.push(equals < 0 ? ["", text, text] : [text.slice(0, equals).trim(), unquoted(text.slice(equals + 1)), text]);
  }
  return found;
}

function unquoted(value: string): string {
  const text = value.trim();
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
