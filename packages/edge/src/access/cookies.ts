/** Both cookies of Access belong to one host. */

export const TOKEN_COOKIE = "CF_Authorization";
/** Identifies the browser that requested a login. */
export const BROWSER_COOKIE = "CF_AppSession";

/** Returns every value of a cookie in order: a sibling host can set its own before the real one. */
export function cookieValues(headers: Headers, name: string): string[] {
  return (headers.get("cookie") ?? "").split(/[;,]\s*/).flatMap((pair) => {
    const at = pair.indexOf("=");
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}

/** @param seconds lifetime; 0 deletes the cookie */
export function setCookie(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}
