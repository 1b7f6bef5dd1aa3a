/** Finds the most specific application that protects a URL (Cloudflare: "Application paths"). */
import * as z from "zod";
import type { AccessApplicationRecord } from "../cloudflare/kinds/access/records.ts";

/** More than any server in front of a Worker decodes a path. */
const DECODE_ROUNDS = 3;

/** Cloudflare documents that a more specific path wins, but not how a path on wildcard hosts compares with a whole host. */
export type Precedence = "path" | "host";

interface Scope {
  /** In lower case; `*` matches any text without a dot. */
  host: string;
  /** Without a trailing slash; empty for the whole host. */
  path: string;
}

const moreDomains = z.object({
  self_hosted_domains: z.array(z.string()).optional().catch(undefined),
  destinations: z
    .array(z.looseObject({ uri: z.string().optional() }))
    .optional()
    .catch(undefined),
});

/**
 * Finds the application of a host without port and a path, which covers the paths below it: `/api/health` covers `/api/health/ws` but
 * not `/api/healthy`.
 * @param precedence Default: `path`
 * @returns `"ambiguous"` when the decoded path belongs to another application
 */
export function findApplication(
  applications: readonly AccessApplicationRecord[],
  host: string,
  path: string,
  precedence: Precedence = "path",
): AccessApplicationRecord | undefined | "ambiguous" {
  const find = (at: string) => mostSpecific(applications, normalHost(host), at, precedence);
  const written = find(path);
  return find(decodedPath(path)) === written ? written : "ambiguous";
}

/** Returns the host in lower case, without port and trailing dot. */
export function normalHost(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

function mostSpecific(
  applications: readonly AccessApplicationRecord[],
  host: string,
  path: string,
  precedence: Precedence,
) {
  let best: { application: AccessApplicationRecord; scope: Scope } | undefined;
  for (const application of applications) {
    if (application.type !== "self_hosted") continue;
    for (const scope of scopesOf(application)) {
      if (scopeCovers(scope, host, path) && (best === undefined || isMoreSpecific(scope, best.scope, precedence)))
        best = { application, scope };
    }
  }
  return best?.application;
}

/** Records are the same object until they change. */
const scopes = new WeakMap<AccessApplicationRecord, Scope[]>();

function scopesOf(application: AccessApplicationRecord): Scope[] {
  let found = scopes.get(application);
  if (found === undefined) {
    found = readScopes(application);
    scopes.set(application, found);
  }
  return found;
}

function readScopes(application: AccessApplicationRecord): Scope[] {
  const { self_hosted_domains = [], destinations = [] } = moreDomains.parse(application);
  const domains = new Set([
    application.domain,
    ...self_hosted_domains,
    ...destinations.flatMap(({ uri }) => uri ?? []),
  ]);
  return [...domains].map((domain) => {
    const [host = "", ...path] = domain.replace(/^https?:\/\//, "").split("/");
    const joined = path.join("/").replace(/\*$/, "").replace(/\/+$/, "");
    return { host: normalHost(host), path: joined === "" ? "" : `/${joined}` };
  });
}

function scopeCovers(scope: Scope, host: string, path: string): boolean {
  return (
    matchesHost(scope.host, host) && (scope.path === "" || path === scope.path || path.startsWith(`${scope.path}/`))
  );
}

function matchesHost(pattern: string, host: string): boolean {
  if (!pattern.includes("*")) return pattern === host;
  const expression = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${expression.join("[^.]*")}$`).test(host);
}

function isMoreSpecific(a: Scope, b: Scope, precedence: Precedence): boolean {
  const byPath = a.path.length - b.path.length;
  const byHost = Number(b.host.includes("*")) - Number(a.host.includes("*")) || a.host.length - b.host.length;
  return (precedence === "path" ? byPath || byHost : byHost || byPath) > 0;
}

/** Normalizes a path like a lenient server: decodes escapes repeatedly, resolves dots and merges slashes. */
function decodedPath(path: string): string {
  let decoded = path;
  for (let round = 0; round < DECODE_ROUNDS; round++) decoded = resolveDots(decodeEscapes(decoded));
  return decoded;
}

function resolveDots(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split(/[\\/]+/)) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/** Decodes byte by byte, so that an invalid escape never fails. */
function decodeEscapes(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
}
