import { parsedJson } from "@tenantry/std/parsed-json";
import * as z from "zod";
import { loginRoles } from "#database/callers/roles.ts";
import { databaseAddress } from "#database/connection/address.ts";
import { environments } from "#domain/environment.ts";
import { errorFault, type Fault } from "#domain/errors/catalogue-error.ts";
import { serviceErrors } from "#domain/errors/service/automation.ts";
import { capacityKinds, DEFAULT_CAPACITY } from "#domain/plans/capacity.ts";
import type { EngineOptions } from "./engine/runs.ts";
import { parseSender } from "./mail/sender.ts";

const MAX_TASKS = 50;
const MAX_RUNS = 20;
const CLOUDFLARE_API_URL = "https://api.cloudflare.com/client/v4";

/** What to set each variable to: the remedy of its faults. */
const VALUES = {
  ENVIRONMENT: `${environments.join(", ")}.`,
  DATABASE_URL:
    "the PostgreSQL URL of the service's role: `pulumi stack output serviceUrl --show-secrets` of the platform's stack.",
  SMTP_URL: "the mail server, as smtps://user:password@host:465 or smtp://user:password@host:587.",
  MAIL_FROM: "the sender of every mail, as `Name <address@domain>`.",
  DASHBOARD_URL: "the dashboard's origin for links in mails, such as https://dash.agents.example.com.",
  PLATFORM_DOMAIN: "the parent domain of tenants' hosts, such as agents.example.com.",
  DISPATCH_URL: "the dispatch Worker's internal URL, such as https://_dispatch.agents.example.com.",
  INVALIDATE_TOKEN: "`pulumi stack output invalidateToken --show-secrets` of the platform's stack.",
  CLOUDFLARE_API_URL: `an http or https URL. Default: ${CLOUDFLARE_API_URL}.`,
  CLOUDFLARE_API_TOKEN:
    "an API token with permission to edit the account's Access groups and to read its analytics only.",
  CLOUDFLARE_ACCOUNT_ID: "the id of the Cloudflare account.",
  LIVE_URL: "the dashboard's URL for events, with LIVE_TOKEN. Without both, no events are pushed.",
  LIVE_TOKEN: "the bearer token of LIVE_URL. Without both, no events are pushed.",
  HEALTH_HOST: "the address for health and metrics. Default: 127.0.0.1.",
  HEALTH_PORT: "a port, or to 0 for any free port. Default: 9464.",
  CONCURRENCY: `the number of concurrent tasks, 1 to ${MAX_TASKS}. Default: 4.`,
  PLATFORM_STACK: "the platform's stack, as in tenantry:platformStack. Without it, the service deploys no tenants.",
  PROVISIONING_API_TOKEN:
    "an API token with the permissions that `pulumi up` requires (docs/reference/permissions.md).",
  PULUMI_BACKEND_URL: "the backend of the platform's and tenants' stacks, such as s3://bucket.",
  ENGINE_CONCURRENCY: `the number of concurrent deployments, 1 to ${MAX_RUNS}. Default: 2.`,
  ACCOUNT_LIMITS: `a JSON object with the account's limits of ${capacityKinds.join(", ")}. Default: Cloudflare's limits.`,
  OTHER_PLATFORMS:
    'a JSON object of other platforms\' dashboards for tenants that exceed this account, such as {"eu-2": "https://dash.eu-2.example.com"}. Default: none.',
  ENGINE_MEMORY_MIB: "the heap of each process of a deployment in MiB, at least 128. Default: 768.",
} as const;
type Name = keyof typeof VALUES;

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

  constructor(faults: readonly Fault[]) {
    super(faults.join("\n"));
  }
}

/** Reads the environment variables of the service. @throws SettingsError with every missing or invalid variable */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const names = Object.keys(VALUES) as Name[];
  // An empty variable counts as not set.
  const given = Object.fromEntries(names.map((name) => [name, environment[name] || undefined]));
  const read = variables.safeParse(given);
  const faults = (read.error?.issues ?? []).map(({ path, message, code }) => {
    const name = path[0] as Name;
    if (given[name] === undefined) return notSet(name);
    return invalid(name, code === "custom" ? message : "it does not have the required form");
  });
  if (read.data !== undefined) faults.push(...combinationFaults(read.data), ...secretsFaults(read.data, environment));
  if (read.data === undefined || faults.length > 0) throw new SettingsError(faults);
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

function combinationFaults(settings: z.infer<typeof variables>): Fault[] {
  const { ENVIRONMENT, DATABASE_URL, LIVE_URL, LIVE_TOKEN } = settings;
  const faults: Fault[] = [];
  const logins = loginRoles(ENVIRONMENT, "service");
  // Poolers require the project after the role: tenantry_service.project.
  const [user] = databaseAddress(DATABASE_URL).user.split(".");
  if (!logins.some((login) => login === user)) {
    faults.push(invalid("DATABASE_URL", `it does not log in as ${logins.join(" or ")}`));
  }
  if (LIVE_URL !== undefined && LIVE_TOKEN === undefined) faults.push(notSet("LIVE_TOKEN"));
  if (LIVE_URL === undefined && LIVE_TOKEN !== undefined) faults.push(notSet("LIVE_URL"));
  for (const name of ["PROVISIONING_API_TOKEN", "PULUMI_BACKEND_URL"] as const) {
    if (settings.PLATFORM_STACK !== undefined && settings[name] === undefined) faults.push(notSet(name));
  }
  return faults;
}

/** One of them must be set to decrypt stacks' secrets; a passphrase may be empty. */
const SECRETS = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE", "SECRETS_PROVIDER"] as const;

function secretsFaults(
  { PLATFORM_STACK, PULUMI_BACKEND_URL }: z.infer<typeof variables>,
  environment: Readonly<Record<string, string | undefined>>,
): Fault[] {
  // Pulumi Cloud has the keys itself.
  const isService = /^https?:/.test(PULUMI_BACKEND_URL ?? "");
  if (PLATFORM_STACK === undefined || isService || SECRETS.some((name) => environment[name] !== undefined)) return [];
  const [variable, ...others] = SECRETS;
  return [errorFault(serviceErrors.service_secrets_not_set, { variable, alternatives: others.join(" or ") })];
}

const notSet = (name: Name) => errorFault(serviceErrors.service_variable_not_set, { name, value: VALUES[name] });
const invalid = (name: Name, fault: string) =>
  errorFault(serviceErrors.service_variable_invalid, { name, fault, value: VALUES[name] });

function isDatabaseUrl(url: string): boolean {
  try {
    databaseAddress(url);
    return true;
  } catch {
    return false;
  }
}
