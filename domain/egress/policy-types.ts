/** Policies of what a tenant's container may reach: stack settings, API, database and the tenant's Worker share these schemas. */
import * as z from "zod";

/** The weakest first. */
export const egressModes = ["open", "audit", "allowlist"] as const;
export type EgressMode = (typeof egressModes)[number];

export const MAX_EGRESS_ENTRIES = 1_000;

/**
 * Methods that an entry can name: those of RFC 9110 and RFC 5789 which `fetch` sends, and those of WebDAV (RFC 3253, 4918, 5323). `CONNECT` and `TRACE`
 * are always refused.
 */
export const egressMethods = [
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  ...["PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH"],
] as const;

/** Ports of an entry that names none. */
export const DEFAULT_EGRESS_PORTS: ReadonlySet<number> = new Set([80, 443]);

const port = z.int().min(1).max(65_535);
const method = z.enum(egressMethods);

export const egressEntry = z.strictObject({
  host: z
    .string()
    .min(1)
    .describe("A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address."),
  ports: z.array(port).min(1).optional().describe("Default: 80 and 443."),
  methods: z.array(method).min(1).optional().describe("HTTP methods. Default: all."),
});
export type EgressEntry = z.output<typeof egressEntry>;

export const egressPolicy = z.strictObject({
  mode: z
    .enum(egressModes)
    .describe(
      "`open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.",
    ),
  entries: z
    .array(egressEntry)
    .max(MAX_EGRESS_ENTRIES)
    .default([])
    .describe("Hosts that the mode `allowlist` allows; other modes ignore them. Default: none."),
});
export type EgressPolicy = z.output<typeof egressPolicy>;

/** Hosts that no policy can allow, each with all subdomains. */
export const platformHosts = z.strictObject({
  /** The platform's domain: other tenants, the dashboard and the doors are below it. */
  domain: z.string(),
  /** Further control hosts, such as the one of Cloudflare's API. */
  refused: z.array(z.string()),
});
export type PlatformHosts = Readonly<{ domain: string; refused: readonly string[] }>;

/** Policies from the plan to the tenant; null where nothing is stated. */
export const egressLayers = z.array(egressPolicy.nullable());
export type EgressLayers = readonly (EgressPolicy | null)[];

/** The binding `EGRESS_BOUND`, as JSON: the default of the plan, and the bound of the platform. */
export const egressBound = z.strictObject({ layers: egressLayers, platform: platformHosts });
export type EgressBound = Readonly<{ layers: EgressLayers; platform: PlatformHosts }>;

export const egressRefusals = ["not-listed", "port", "method", "private-address", "control-host", "scheme"] as const;
export type EgressRefusal = (typeof egressRefusals)[number];

const count = z.int().nonnegative();

/** Traffic with a port of a host, as the tenant's Worker records it. */
export const egressHost = z.object({
  /** As `URL` writes it: IPv6 addresses have brackets. */
  host: z.string(),
  port: z.int(),
  /** Product of the `User-Agent`, as the program states it; null for none. */
  program: z.string().nullable(),
  requests: count,
  /** Of the requests. */
  refused: count,
  sentBytes: count,
  receivedBytes: count,
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  /** Of the last refusal; null for none. */
  reason: z.enum(egressRefusals).nullable(),
});
export type EgressHost = z.output<typeof egressHost>;
