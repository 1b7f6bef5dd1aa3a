/** Worker routes, by the vendor's rules: wildcards only before the host and after the path, the most specific wins. */
import type { RouteRecord } from "../api/model.ts";

interface Pattern {
  /** Host without its wildcard, in lower case. */
  host: string;
  hostWildcard: boolean;
  path: string;
  pathWildcard: boolean;
  /** `http:` or `https:` if the pattern says so. */
  protocol: string | undefined;
}

/**
 * The route for `url`, if any: an exact host before a wildcard, then the longer host, then the longer path. A route
 * without a script keeps Workers away from what it matches.
 */
export function matchRoute(routes: readonly RouteRecord[], url: URL): RouteRecord | undefined {
  let best: { route: RouteRecord; pattern: Pattern } | undefined;
  for (const route of routes) {
    const pattern = parsePattern(route.pattern);
    if (matches(pattern, url) && (best === undefined || compare(pattern, best.pattern) > 0)) best = { route, pattern };
  }
  return best?.route;
}

function parsePattern(text: string): Pattern {
  const [, protocol, rest = ""] = /^(https?:)?(?:\/\/)?(.*)$/i.exec(text) ?? [];
  const slash = rest.indexOf("/");
  const host = (slash === -1 ? rest : rest.slice(0, slash)).toLowerCase().replace(/:\d+$/, "");
  const path = slash === -1 ? "/" : rest.slice(slash);
  return {
    host: host.replace(/^\*/, ""),
    hostWildcard: host.startsWith("*"),
    path: path.replace(/\*$/, ""),
    pathWildcard: path.endsWith("*"),
    protocol: protocol?.toLowerCase(),
  };
}

function matches(pattern: Pattern, url: URL): boolean {
  const path = url.pathname + url.search;
  return (
    (pattern.protocol === undefined || pattern.protocol === url.protocol) &&
    (pattern.hostWildcard ? url.hostname.endsWith(pattern.host) : url.hostname === pattern.host) &&
    (pattern.pathWildcard ? path.startsWith(pattern.path) : path === pattern.path)
  );
}

function compare(a: Pattern, b: Pattern): number {
  return (
    Number(!a.hostWildcard) - Number(!b.hostWildcard) ||
    a.host.length - b.host.length ||
    Number(!a.pathWildcard) - Number(!b.pathWildcard) ||
    a.path.length - b.path.length
  );
}
