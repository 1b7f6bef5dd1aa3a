/** Paths that the dispatch Worker treats apart. */
import { INTERNAL_PATH_PREFIX } from "../contracts/internal.ts";

const INTERNAL_WORD = INTERNAL_PATH_PREFIX.slice(INTERNAL_PATH_PREFIX.lastIndexOf("/") + 1);
const INVALIDATE_PREFIX = "/_invalidate/";
/** The paths that need no login (spec: health document, "Authentication"). */
const HEALTH_PATHS: ReadonlySet<string> = new Set(["/api/health", "/api/health/ws"]);

/** The slug that a request asks to be dropped from the caches; `undefined` when it asks for something else. */
export function invalidatedSlug(method: string, pathname: string): string | undefined {
  if (method !== "GET" || !pathname.startsWith(INVALIDATE_PREFIX)) return undefined;
  return pathname.slice(INVALIDATE_PREFIX.length);
}

/** Whether a request may pass without login. */
export function isPublic(method: string, pathname: string): boolean {
  return method === "GET" && HEALTH_PATHS.has(pathname);
}

/** Whether a path is the platform's own at a tenant Worker, however it is spelt. */
export function isInternal(pathname: string): boolean {
  // Nearly no path is: what neither holds the word nor hides one needs no closer look.
  if (!pathname.includes("%") && !pathname.toLowerCase().includes(INTERNAL_WORD)) return false;
  const path = decoded(pathname).replaceAll("\\", "/").replaceAll(/\/+/g, "/").toLowerCase();
  // A decoded path may hold dot segments that the URL's own parsing has not seen.
  const { pathname: plain } = new URL(`http://x${path.startsWith("/") ? "" : "/"}${path.replaceAll(/[?#]/g, "_")}`);
  return plain === INTERNAL_PATH_PREFIX || plain.startsWith(`${INTERNAL_PATH_PREFIX}/`);
}

function decoded(path: string): string {
  let text = path;
  // Byte by byte, so that a broken escape stays as it is and hides none beside it.
  const byte = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  for (let depth = 0; depth < 3 && text.includes("%"); depth += 1) text = text.replaceAll(/%([0-9a-f]{2})/gi, byte);
  return text;
}
