/** The cookies of Access. Both belong to one host alone. */

/** The application token. */
export const TOKEN_COOKIE = "CF_Authorization";
/** Marks the browser that asked to log in. */
export const BROWSER_COOKIE = "CF_AppSession";

/** Every value sent under `name`, in order: a neighbour's host can plant one of its own before the right one. */
export function cookieValues(headers: Headers, name: string): string[] {
  return (headers.get("cookie") ?? "").split(/[;,]\s*/).flatMap((pair) => {
    const at = pair.indexOf("=");
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}

/** A `Set-Cookie` value. @param seconds lifetime; 0 removes the cookie */
export function setCookie(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}
