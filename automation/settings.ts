/** What the service is told by its environment's variables, and nothing else. */
import * as z from "zod";
import { loginRoles } from "#database/callers/roles.ts";
import { databaseAddress } from "#database/connection/address.ts";
import { environments } from "#domain/environment.ts";
import { capacityKinds, DEFAULT_CAPACITY } from "#domain/plans/capacity.ts";
import type { EngineOptions } from "./engine/runs.ts";
import { parsedJson } from "./json.ts";
import { parseSender } from "./mail/sender.ts";

const MOST_TASKS_AT_ONCE = 50;
const MOST_RUNS_AT_ONCE = 20;
const CLOUDFLARE_API_URL = "https://api.cloudflare.com/client/v4";

/** Where to get each one: said with every fault. */
const REMEDIES = {
  ENVIRONMENT: `Set it to ${environments.join(", ")}.`,
  DATABASE_URL:
    "Set it to the PostgreSQL URL of the service's role: `pulumi stack output serviceUrl --show-secrets` of the platform's stack.",
  SMTP_URL: "Set it to the mail server, as smtps://user:password@host:465 or smtp://user:password@host:587.",
  MAIL_FROM: "Set it to the sender of every mail, as `Name <address@domain>`.",
  DASHBOARD_URL:
    "Set it to the dashboard's origin, such as https://dash.agents.example.com; links in mails begin with it.",
  PLATFORM_DOMAIN: "Set it to the domain that tenants' hosts lie under, such as agents.example.com.",
  DISPATCH_URL:
    "Set it to where the dispatch Worker takes the platform's calls, such as https://_dispatch.agents.example.com.",
  INVALIDATE_TOKEN: "Set it to `pulumi stack output invalidateToken --show-secrets` of the platform's stack.",
  CLOUDFLARE_API_URL: `Set it to an http or https URL, or leave it out for ${CLOUDFLARE_API_URL}.`,
  CLOUDFLARE_API_TOKEN:
    "Set it to an API token that may edit the account's Access groups and read its analytics, and nothing else.",
  CLOUDFLARE_ACCOUNT_ID: "Set it to the id of the Cloudflare account.",
  LIVE_URL: "Set it to where the dashboard takes news, with LIVE_TOKEN, or leave both out: then none are pushed.",
  LIVE_TOKEN: "Set it to the bearer token of LIVE_URL, or leave both out: then no news are pushed.",
  HEALTH_HOST: "Set it to the address that health and metrics are served at, or leave it out for 127.0.0.1.",
  HEALTH_PORT: "Set it to a port, 0 for any free one, or leave it out for 9464.",
  CONCURRENCY: `Set it to how many tasks may run at once, 1 to ${MOST_TASKS_AT_ONCE}, or leave it out for 4.`,
  PLATFORM_STACK:
    "Set it to the stack that holds the platform, as tenantry:platformStack has it, or leave it out: then the service deploys no tenants.",
  PROVISIONING_API_TOKEN:
    "Set it to an API token with the rights that `pulumi up` needs (docs/reference/permissions.md).",
  PULUMI_BACKEND_URL: "Set it to where the stacks' states lie, the platform's and the tenants', such as s3://bucket.",
  ENGINE_CONCURRENCY: `Set it to how many tenants may be deployed at once, 1 to ${MOST_RUNS_AT_ONCE}, or leave it out for 2.`,
  ACCOUNT_LIMITS: `Set it to a JSON object of what the account may hold, of ${capacityKinds.join(", ")}, or leave it out for the vendor's.`,
  OTHER_PLATFORMS:
    'Set it to a JSON object of the dashboards at which tenants may be made that this account has no room for, as {"eu-2": "https://dash.eu-2.example.com"}, or leave it out.',
  ENGINE_MEMORY_MIB: "Set it to the heap of each process of a deployment in MiB, 128 or more, or leave it out for 768.",
} as const;
type Name = keyof typeof REMEDIES;

const base = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const secret = z.string().regex(/^[\x21-\x7e]+$/);

const dashboards = z.record(z.string().regex(/^[\w. -]{1,60}$/), base);
const limits = z.partialRecord(z.enum(capacityKinds), z.number().nonnegative());

const variables = z.object({
  ENVIRONMENT: z.enum(environments),
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, "it is no URL of the form postgres://user:password@host:port/database"),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  MAIL_FROM: z.string().transform((text, context) => {
    const sender = parseSender(text);
    if (sender !== undefined) return sender;
    context.addIssue("it names no sender");
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
  CONCURRENCY: z.coerce.number().int().min(1).max(MOST_TASKS_AT_ONCE).default(4),
  PLATFORM_STACK: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+){0,2}$/)
    .optional(),
  PROVISIONING_API_TOKEN: secret.optional(),
  PULUMI_BACKEND_URL: z.string().optional(),
  ENGINE_CONCURRENCY: z.coerce.number().int().min(1).max(MOST_RUNS_AT_ONCE).default(2),
  ACCOUNT_LIMITS: z
    .string()
    .default("{}")
    .transform((text, context) => {
      const read = limits.safeParse(parsedJson(text));
      if (read.success) return { ...DEFAULT_CAPACITY, ...read.data };
      context.addIssue("it is no such object");
      return z.NEVER;
    }),
  OTHER_PLATFORMS: z
    .string()
    .default("{}")
    .transform((text, context) => {
      const read = dashboards.safeParse(parsedJson(text));
      if (read.success) return read.data;
      context.addIssue("it is no such object");
      return z.NEVER;
    }),
  ENGINE_MEMORY_MIB: z.coerce.number().int().min(128).default(768),
});

export interface EngineSettings extends EngineOptions {
  /** Stack that holds the platform. */
  platformStack: string;
}

/** Environment variables by their names, read and checked. */
export type Settings = z.infer<typeof variables> & {
  /** Undefined where the service deploys no tenants. */
  ENGINE?: EngineSettings;
};

/** What is wrong with the environment's variables: a line each, without their values. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/** @throws SettingsError that names every variable that is missing or wrong, and what to do */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const names = Object.keys(REMEDIES) as Name[];
  // What is set to nothing is not set.
  const given = Object.fromEntries(names.map((name) => [name, environment[name] || undefined]));
  const read = variables.safeParse(given);
  const faults = (read.error?.issues ?? []).map(({ path, message, code }) => {
    const name = path[0] as Name;
    if (given[name] === undefined) return fault(name, "it is not set");
    return fault(name, code === "custom" ? message : "it does not have that form");
  });
  if (read.data !== undefined) faults.push(...together(read.data), ...secretsFaults(read.data, environment));
  if (read.data === undefined || faults.length > 0) throw new SettingsError(faults.join("\n"));
  const engine = engineSettings(read.data, environment);
  return { ...read.data, ...(engine && { ENGINE: engine }) };
}

/** What an engine's processes get of the service's variables: where states are, how they are entered, and ways out. */
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

/** What is wrong with variables that are right by themselves. */
function together(settings: z.infer<typeof variables>): string[] {
  const { ENVIRONMENT, DATABASE_URL, LIVE_URL, LIVE_TOKEN } = settings;
  const faults: string[] = [];
  const logins = loginRoles(ENVIRONMENT, "service");
  // Poolers want the project's name after the role's: tenantry_service.project.
  const [user] = databaseAddress(DATABASE_URL).user.split(".");
  if (!logins.some((login) => login === user)) {
    faults.push(fault("DATABASE_URL", `it does not log in as ${logins.join(" or ")}`));
  }
  if (LIVE_URL !== undefined && LIVE_TOKEN === undefined) faults.push(fault("LIVE_TOKEN", "it is not set"));
  if (LIVE_URL === undefined && LIVE_TOKEN !== undefined) faults.push(fault("LIVE_URL", "it is not set"));
  for (const name of ["PROVISIONING_API_TOKEN", "PULUMI_BACKEND_URL"] as const) {
    if (settings.PLATFORM_STACK !== undefined && settings[name] === undefined)
      faults.push(fault(name, "it is not set"));
  }
  return faults;
}

/** By which of them stacks' secrets are read; an empty passphrase is one too. */
const SECRETS = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE", "SECRETS_PROVIDER"];

function secretsFaults(
  { PLATFORM_STACK, PULUMI_BACKEND_URL }: z.infer<typeof variables>,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  // The vendor's service keeps the keys itself.
  const isService = /^https?:/.test(PULUMI_BACKEND_URL ?? "");
  if (PLATFORM_STACK === undefined || isService || SECRETS.some((name) => environment[name] !== undefined)) return [];
  return [
    `${SECRETS[0]}: it is not set. Set it, or ${SECRETS[1]} or ${SECRETS[2]}, to what the stacks' secrets are kept by.`,
  ];
}

const fault = (name: Name, what: string) => `${name}: ${what}. ${REMEDIES[name]}`;

function isDatabaseUrl(url: string): boolean {
  try {
    databaseAddress(url);
    return true;
  } catch {
    return false;
  }
}
