/** Matches Worker routes like Cloudflare: wildcards only before the host and after the path; the most specific route wins. */
import type { Store } from "#account/store.ts";
import type { RouteRecord } from "./record.ts";

interface Pattern {
  /** Host without its wildcard, in lower case. */
  host: string;
  hostWildcard: boolean;
  path: string;
  pathWildcard: boolean;
  /** `http:` or `https:` if the pattern has a protocol. */
  protocol: string | undefined;
}

interface Parsed {
  route: RouteRecord;
  pattern: Pattern;
}

/** Caches the store's routes until one changes. */
export class RouteTable {
  readonly #store: Store;
  #routes: Parsed[] | undefined;

  constructor(store: Store) {
    this.#store = store;
    store.onChange(({ kind }) => {
      if (kind === "route") this.#routes = undefined;
    });
  }

  /** An exact host precedes a wildcard, then longer hosts, then longer paths. A route without a script excludes its URLs from Workers. */
  match(url: URL): RouteRecord | undefined {
    this.#routes ??= this.#store.list("route").map(parseRoute);
    return mostSpecific(this.#routes, url);
  }
}

function mostSpecific(routes: readonly Parsed[], url: URL): RouteRecord | undefined {
  let best: Parsed | undefined;
  for (const one of routes) {
    if (matchesPattern(one.pattern, url) && (best === undefined || comparePatterns(one.pattern, best.pattern) > 0))
      best = one;
  }
  return best?.route;
}

function parseRoute(route: RouteRecord): Parsed {
  return { route, pattern: parsePattern(route.pattern) };
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

function matchesPattern(pattern: Pattern, url: URL): boolean {
  const path = url.pathname + url.search;
  return (
    (pattern.protocol === undefined || pattern.protocol === url.protocol) &&
    (pattern.hostWildcard ? url.hostname.endsWith(pattern.host) : url.hostname === pattern.host) &&
    (pattern.pathWildcard ? path.startsWith(pattern.path) : path === pattern.path)
  );
}

function comparePatterns(a: Pattern, b: Pattern): number {
  return (
    Number(!a.hostWildcard) - Number(!b.hostWildcard) ||
    a.host.length - b.host.length ||
    Number(!a.pathWildcard) - Number(!b.pathWildcard) ||
    a.path.length - b.path.length
  );
}
