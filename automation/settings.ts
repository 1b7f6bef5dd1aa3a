import * as z from "zod";
import { loginRoles } from "#database/callers/roles.ts";
import { databaseAddress } from "#database/connection/address.ts";
import { environments } from "#domain/environment.ts";
import { capacityKinds, DEFAULT_CAPACITY } from "#domain/plans/capacity.ts";
import type { EngineOptions } from "./engine/runs.ts";
import { parsedJson } from "./json.ts";
import { parseSender } from "./mail/sender.ts";

const MAX_TASKS = 50;
const MAX_RUNS = 20;
const CLOUDFLARE_API_URL = "https://api.cloudflare.com/client/v4";

/** What to set each variable to; part of each fault. */
const REMEDIES = {
  ENVIRONMENT: `Set it to ${environments.join(", ")}.`,
  DATABASE_URL:
    "Set it to the PostgreSQL URL of the service's role: `pulumi stack output serviceUrl --show-secrets` of the platform's stack.",
  SMTP_URL: "Set it to the mail server, as smtps://user:password@host:465 or smtp://user:password@host:587.",
  MAIL_FROM: "Set it to the sender of every mail, as `Name <address@domain>`.",
  DASHBOARD_URL: "Set it to the dashboard's origin for links in mails, such as https://dash.agents.example.com.",
  PLATFORM_DOMAIN: "Set it to the parent domain of tenants' hosts, such as agents.example.com.",
  DISPATCH_URL: "Set it to the dispatch Worker's internal URL, such as https://_dispatch.agents.example.com.",
  INVALIDATE_TOKEN: "Set it to `pulumi stack output invalidateToken --show-secrets` of the platform's stack.",
  CLOUDFLARE_API_URL: `Set it to an http or https URL. Default: ${CLOUDFLARE_API_URL}.`,
  CLOUDFLARE_API_TOKEN:
    "Set it to an API token with permission to edit the account's Access groups and to read its analytics only.",
  CLOUDFLARE_ACCOUNT_ID: "Set it to the id of the Cloudflare account.",
  LIVE_URL: "Set it to the dashboard's URL for events, with LIVE_TOKEN. Without both, no events are pushed.",
  LIVE_TOKEN: "Set it to the bearer token of LIVE_URL. Without both, no events are pushed.",
  HEALTH_HOST: "Set it to the address for health and metrics. Default: 127.0.0.1.",
  HEALTH_PORT: "Set it to a port, or to 0 for any free port. Default: 9464.",
  CONCURRENCY: `Set it to the number of concurrent tasks, 1 to ${MAX_TASKS}. Default: 4.`,
  PLATFORM_STACK:
    "Set it to the platform's stack, as in tenantry:platformStack. Without it, the service deploys no tenants.",
  PROVISIONING_API_TOKEN:
    "Set it to an API token with the permissions that `pulumi up` requires (docs/reference/permissions.md).",
  PULUMI_BACKEND_URL: "Set it to the backend of the platform's and tenants' stacks, such as s3://bucket.",
  ENGINE_CONCURRENCY: `Set it to the number of concurrent deployments, 1 to ${MAX_RUNS}. Default: 2.`,
  ACCOUNT_LIMITS: `Set it to a JSON object with the account's limits of ${capacityKinds.join(", ")}. Default: Cloudflare's limits.`,
  OTHER_PLATFORMS:
    'Set it to a JSON object of other platforms\' dashboards for tenants that exceed this account, such as {"eu-2": "https://dash.eu-2.example.com"}. Default: none.',
  ENGINE_MEMORY_MIB: "Set it to the heap of each process of a deployment in MiB, at least 128. Default: 768.",
} as const;
type Name = keyof typeof REMEDIES;

const base = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const secret = z.string().regex(/^[\x21-\x7e]+$/);

const jsonObject = <T>(content: z.ZodType<T>) =>
  z
    .string()
    .default("{}")
    .transform((text, context) => {
      const read = content.safeParse(parsedJson(text));
      if (read.success) return read.data;
      context.addIssue("it is not such a JSON object");
      return z.NEVER;
    });

const variables = z.object({
  ENVIRONMENT: z.enum(environments),
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, "it is not a URL of the form postgres://user:password@host:port/database"),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  MAIL_FROM: z.string().transform((text, context) => {
    const sender = parseSender(text);
    if (sender !== undefined) return sender;
    context.addIssue("it is not a sender");
    return z.NEVER;
  }),
  DASHBOARD_URL: base.refine((url) => new URL(url).pathname === "/", "it has a path"),
  PLATFORM_DOMAIN: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/),
  DISPATCH_URL: base,
  INVALIDATE_TOKEN: secret,
  CLOUDFLARE_API_URL: base.default(CLOUDFLARE_API_URL),
  CLOUDFLARE_API_TOKEN: secret,
  CLOUDFLARE_ACCOUNT_ID: z.string().regex(/^\w+$/),
  LIVE_URL: base.optional(),
  LIVE_TOKEN: secret.optional(),
  HEALTH_HOST: z.string().default("127.0.0.1"),
  HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).default(9464),
  CONCURRENCY: z.coerce.number().int().min(1).max(MAX_TASKS).default(4),
  PLATFORM_STACK: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+){0,2}$/)
    .optional(),
  PROVISIONING_API_TOKEN: secret.optional(),
  PULUMI_BACKEND_URL: z.string().optional(),
  ENGINE_CONCURRENCY: z.coerce.number().int().min(1).max(MAX_RUNS).default(2),
  ACCOUNT_LIMITS: jsonObject(z.partialRecord(z.enum(capacityKinds), z.number().nonnegative())).transform((limits) => ({
    ...DEFAULT_CAPACITY,
    ...limits,
  })),
  OTHER_PLATFORMS: jsonObject(z.record(z.string().regex(/^[\w. -]{1,60}$/), base)),
  ENGINE_MEMORY_MIB: z.coerce.number().int().min(128).default(768),
});

export interface EngineSettings extends EngineOptions {
  platformStack: string;
}

export type Settings = z.infer<typeof variables> & {
  /** Undefined if the service deploys no tenants. */
  ENGINE?: EngineSettings;
};

/** Has a line for each fault, without values. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/** Reads the environment variables of the service. @throws SettingsError with every missing or invalid variable */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const names = Object.keys(REMEDIES) as Name[];
  // An empty variable counts as not set.
  const given = Object.fromEntries(names.map((name) => [name, environment[name] || undefined]));
  const read = variables.safeParse(given);
  const faults = (read.error?.issues ?? []).map(({ path, message, code }) => {
    const name = path[0] as Name;
    if (given[name] === undefined) return settingFault(name, "it is not set");
    return settingFault(name, code === "custom" ? message : "it does not have the required form");
  });
  if (read.data !== undefined) faults.push(...combinationFaults(read.data), ...secretsFaults(read.data, environment));
  if (read.data === undefined || faults.length > 0) throw new SettingsError(faults.join("\n"));
  const engine = engineSettings(read.data, environment);
  return { ...read.data, ...(engine && { ENGINE: engine }) };
}

/** Variables that the engine's processes get too: for the backend, its secrets and the network. */
const PASSED_ON =
  /^(PATH|HOME|TMPDIR|LANG|LC_ALL|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|(HTTPS?|NO)_PROXY|SECRETS_PROVIDER)$/i;
const PASSED_ON_BY_PREFIX = /^(PULUMI|AWS|AZURE|ARM|GOOGLE|VAULT|TENANTRY)_/;

function engineSettings(
  { PLATFORM_STACK, PROVISIONING_API_TOKEN, CLOUDFLARE_API_URL: apiUrl, ENGINE_MEMORY_MIB }: z.infer<typeof variables>,
  environment: Readonly<Record<string, string | undefined>>,
): EngineSettings | undefined {
  if (PLATFORM_STACK === undefined || PROVISIONING_API_TOKEN === undefined) return undefined;
  const passed = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    value !== undefined && (PASSED_ON.test(name) || PASSED_ON_BY_PREFIX.test(name)) ? [[name, value]] : [],
  );
  return {
    platformStack: PLATFORM_STACK,
    memoryMib: ENGINE_MEMORY_MIB,
    variables: {
      ...Object.fromEntries(passed),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      CLOUDFLARE_API_TOKEN: PROVISIONING_API_TOKEN,
      ...(apiUrl !== CLOUDFLARE_API_URL && { CLOUDFLARE_BASE_URL: apiUrl }),
    },
  };
}

function combinationFaults(settings: z.infer<typeof variables>): string[] {
  const { ENVIRONMENT, DATABASE_URL, LIVE_URL, LIVE_TOKEN } = settings;
  const faults: string[] = [];
  const logins = loginRoles(ENVIRONMENT, "service");
  // Poolers require the project after the role: tenantry_service.project.
  const [user] = databaseAddress(DATABASE_URL).user.split(".");
  if (!logins.some((login) => login === user)) {
    faults.push(settingFault("DATABASE_URL", `it does not log in as ${logins.join(" or ")}`));
  }
  if (LIVE_URL !== undefined && LIVE_TOKEN === undefined) faults.push(settingFault("LIVE_TOKEN", "it is not set"));
  if (LIVE_URL === undefined && LIVE_TOKEN !== undefined) faults.push(settingFault("LIVE_URL", "it is not set"));
  for (const name of ["PROVISIONING_API_TOKEN", "PULUMI_BACKEND_URL"] as const) {
    if (settings.PLATFORM_STACK !== undefined && settings[name] === undefined)
      faults.push(settingFault(name, "it is not set"));
  }
  return faults;
}

/** One of them must be set to decrypt stacks' secrets; a passphrase may be empty. */
const SECRETS = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE", "SECRETS_PROVIDER"];

function secretsFaults(
  { PLATFORM_STACK, PULUMI_BACKEND_URL }: z.infer<typeof variables>,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  // Pulumi Cloud has the keys itself.
  const isService = /^https?:/.test(PULUMI_BACKEND_URL ?? "");
  if (PLATFORM_STACK === undefined || isService || SECRETS.some((name) => environment[name] !== undefined)) return [];
  return [`${SECRETS[0]}: it is not set. Set it, or ${SECRETS[1]} or ${SECRETS[2]}, to decrypt the stacks' secrets.`];
}

const settingFault = (name: Name, what: string) => `${name}: ${what}. ${REMEDIES[name]}`;

function isDatabaseUrl(url: string): boolean {
  try {
    databaseAddress(url);
    return true;
  } catch {
    return false;
  }
}
