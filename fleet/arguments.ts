/** Command line of `npm run fleet`. */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import type { ValuesOf } from "#domain/errors/catalogue.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetUsageErrors as errors } from "#domain/errors/commands/fleet-usage.ts";
import { slugFault } from "#domain/names/slug.ts";

const handovers = ["adopt", "release", "move"] as const;
const commands = [
  ...[
    "preview",
    "up",
    "drift",
    "recover",
    "doctor",
    "rotate",
    "dump",
    "restore",
    "repair",
    "preflight",
    "verify",
    "call",
  ],
  ...handovers,
] as const;
/** Commands that do not use the stacks' files in `tenants/`. */
const checking: readonly Command[] = ["doctor", "preflight", "verify", "call"];
type Command = (typeof commands)[number];

const TENANTS = join(import.meta.dirname, "../tenants");

export const USAGE = `npm run fleet -- COMMAND [STACK…] [OPTION…]

  preview             shows what up would change
  up                  deploys stacks as their files declare
  drift               shows what was changed outside Pulumi
  adopt SLUG          hands a tenant from the dashboard over to Git: writes its file
  release SLUG        hands a tenant from Git over to the dashboard: deletes its file
  move SLUG           moves the state and declaration of a tenant to the stack --to
  recover STACK       removes the lock and pending operations that a killed run left
  rotate SECRET       replaces a secret of the platform in --stack; reads secrets of other issuers from standard input
  dump DIR            dumps the database of the platform in --stack to a directory
  restore FILE        restores that database from a dump; --as-of and --finish take no FILE
  repair              restores the schema and permissions of that database
  preflight STACK     checks what the first pulumi up of the platform STACK needs; changes nothing
  verify [TENANT]     proves the platform in --stack with a tenant, or with a canary that is removed at the end
  call OPERATION [NAME=VALUE…]
                      sends an operation of the API, such as: call restartInstance --tenant acme
  doctor              finds stacks, rows and account resources that do not match; STACK is a platform's stack

  --since REF         only stacks whose files changed since the branch left REF (default: all)
  --parallel N        number of concurrent stacks, 1 to 16 (default 2)
  --json, --markdown  prints the report as JSON, or as a comment for a pull request
  --detailed-exitcode exits with 2 if there are changes, drift or findings, or if up kept a stack whose file was deleted
  --destroy           up: destroys stacks whose files were deleted since REF
  --force             recover: even if the run that locked the stack seems to be alive
  --fix               doctor: removes resources that have no owner after the grace period
  --grace HOURS       doctor: the grace period since the first sighting, 1 to 8760 (default 24)
  --without-secrets   preview: does not use the passphrase
  --prices FILE       prices, as GET /prices of the dashboard returns them (default: the initial price list)
  --environment NAME  adopt, release, move: the tenant's environment (default production)
  --to STACK          move: the target stack; created if it does not exist
  --stack STACK       rotate, dump, restore, repair, verify: the platform's stack
  --as-of TIME        restore: records that the database vendor restored it to this time, such as 2026-11-24T08:00:00Z
  --keep N            dump: deletes all but the newest N dumps of the stack
  --provider NAME     rotate provider-key: the provider, such as openai
  --service COMMAND   rotate: restarts the automation service; gets the new secrets in its environment
  --finish            rotate: the automation service uses the new secret; revokes the old one
                      restore: marks the restore procedure as finished
  --pause SECONDS     rotate: time between two steps, 0 to 3600 (default 30)
  --tenant SLUG       call: the tenant whose client_id or instance_id the operation needs (default: that of the login)
  --wait              call: waits until the job ends that the operation requests
  --tenants DIR       directory of the stacks' files (default tenants/)
  --state DIR         state directory of a running local edge`;

const options = {
  since: { type: "string" },
  parallel: { type: "string" },
  json: { type: "boolean" },
  markdown: { type: "boolean" },
  "detailed-exitcode": { type: "boolean" },
  destroy: { type: "boolean" },
  force: { type: "boolean" },
  fix: { type: "boolean" },
  grace: { type: "string" },
  "without-secrets": { type: "boolean" },
  prices: { type: "string" },
  environment: { type: "string" },
  to: { type: "string" },
  stack: { type: "string" },
  keep: { type: "string" },
  "as-of": { type: "string" },
  provider: { type: "string" },
  service: { type: "string" },
  finish: { type: "boolean" },
  pause: { type: "string" },
  tenant: { type: "string" },
  wait: { type: "boolean" },
  tenants: { type: "string" },
  state: { type: "string" },
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

/** Commands of options that not every command takes. */
const COMMANDS_OF: Readonly<Partial<Record<keyof typeof options, readonly Command[]>>> = {
  since: commands.filter((command) => !checking.includes(command)),
  parallel: commands.filter((command) => !["preflight", "verify", "call"].includes(command)),
  destroy: ["up"],
  force: ["recover"],
  fix: ["doctor"],
  grace: ["doctor"],
  "without-secrets": ["preview"],
  environment: handovers,
  to: ["move"],
  stack: ["rotate", "dump", "restore", "repair", "verify"],
  keep: ["dump"],
  "as-of": ["restore"],
  provider: ["rotate"],
  service: ["rotate"],
  finish: ["rotate", "restore"],
  pause: ["rotate"],
  tenant: ["call"],
  wait: ["call"],
};

/** An error names the commands of an option if they are at most as many. */
const MOST_NAMED = 4;

/** Commands that take exactly one operand. */
const OPERANDS: Readonly<Partial<Record<Command, string>>> = {
  recover: "STACK",
  preflight: "STACK",
  adopt: "SLUG",
  release: "SLUG",
  move: "SLUG",
  rotate: "SECRET",
  dump: "DIR",
};

const NUMBERS = {
  parallel: { schema: z.coerce.number().int().min(1).max(16).default(2), what: "a whole number from 1 to 16" },
  keep: { schema: z.coerce.number().int().min(1).optional(), what: "a whole number of at least 1" },
  // No deployment takes an hour.
  grace: { schema: z.coerce.number().min(1).max(8760).default(24), what: "hours from 1 to 8760" },
  pause: { schema: z.coerce.number().min(0).max(3600).default(30), what: "seconds from 0 to 3600" },
} as const;

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export type FleetArguments = ReturnType<typeof fleetArguments>;

/** @throws CatalogueError with the usage */
export function fleetArguments(argv: readonly string[]) {
  const { values, positionals } = parseFleetArguments(argv);
  const [name, ...stacks] = positionals;
  const command = commands.find((known) => known === name);
  if (command === undefined)
    throw name === undefined ? usageError(errors.command_missing, {}) : usageError(errors.command_unknown, { name });
  checkOptions(command, values);
  checkOperands(command, stacks, values);
  const environment = environments.find((known) => known === (values.environment ?? "production"));
  if (environment === undefined)
    throw invalidValue("environment", `one of ${environments.join(", ")}`, values.environment);
  const asOf = instant.optional().safeParse(values["as-of"]);
  if (!asOf.success) throw invalidValue("as-of", "a time such as 2026-11-24T08:00:00Z", values["as-of"]);
  const format: "text" | "json" | "markdown" = values.json ? "json" : values.markdown ? "markdown" : "text";
  return {
    command,
    stacks,
    since: values.since,
    parallel: numberOf("parallel", values),
    format,
    detailedExitCode: values["detailed-exitcode"] ?? false,
    destroy: values.destroy ?? false,
    force: values.force ?? false,
    fix: values.fix ?? false,
    graceHours: numberOf("grace", values),
    withoutSecrets: values["without-secrets"] ?? false,
    prices: values.prices,
    environment,
    to: values.to,
    platformStack: values.stack ?? "",
    keep: numberOf("keep", values),
    asOf: asOf.data,
    provider: values.provider,
    service: values.service,
    finish: values.finish ?? false,
    pauseSeconds: numberOf("pause", values),
    tenant: values.tenant,
    wait: values.wait ?? false,
    tenants: resolve(values.tenants ?? TENANTS),
    state: values.state === undefined ? undefined : resolve(values.state),
  };
}

function parseFleetArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options });
  } catch (error) {
    throw usageError(errors.command_line_invalid, { fault: (error as Error).message.split(". ")[0] ?? "" });
  }
}

function checkOptions(command: Command, values: Values): void {
  for (const [option, allowed] of Object.entries(COMMANDS_OF)) {
    if (values[option as keyof Values] === undefined || allowed.includes(command)) continue;
    throw allowed.length > MOST_NAMED
      ? usageError(errors.option_not_of_doctor, { command, option })
      : usageError(errors.option_not_of_command, { command, option, commands: allowed.join(", ") });
  }
  if (values.destroy && values.since === undefined) throw usageError(errors.destroy_without_since, {});
  if (values.json && values.markdown) throw usageError(errors.two_report_formats, {});
  if (command === "move" && values.to === undefined) throw usageError(errors.move_target_missing, {});
  if (COMMANDS_OF.stack?.includes(command) && values.stack === undefined)
    throw usageError(errors.platform_stack_missing, { command });
  if (command === "rotate" && values.finish && values.service !== undefined)
    throw usageError(errors.finish_with_service, {});
}

function checkOperands(command: Command, operands: readonly string[], values: Values): void {
  const operand = OPERANDS[command];
  if (operand !== undefined && operands.length !== 1) throw usageError(errors.operand_missing, { command, operand });
  if (command === "call" && operands.length === 0) throw usageError(errors.operation_missing, {});
  if (command === "repair" && operands.length > 0) throw usageError(errors.operand_unexpected, { command });
  const sources = [operands.length > 0, values["as-of"] !== undefined, values.finish ?? false].filter(Boolean);
  if (command === "restore" && (sources.length !== 1 || operands.length > 1))
    throw usageError(errors.restore_source_ambiguous, {});
  if (command === "verify" && operands.length > 1)
    throw usageError(errors.operands_too_many, { command, operand: "TENANT" });
  const [slug = ""] = operands;
  const isSlug = operand === "SLUG" || (command === "verify" && operands.length === 1);
  const fault = isSlug ? slugFault(slug) : undefined;
  if (fault !== undefined) throw usageError(errors.slug_operand_invalid, { slug: JSON.stringify(slug), fault });
}

type NumberOf<Option extends keyof typeof NUMBERS> = z.output<(typeof NUMBERS)[Option]["schema"]>;

function numberOf<Option extends keyof typeof NUMBERS>(option: Option, values: Values): NumberOf<Option> {
  const { schema, what } = NUMBERS[option];
  const given = values[option];
  const { success, data } = schema.safeParse(given);
  if (!success) throw invalidValue(option, what, given);
  return data as NumberOf<Option>;
}

const invalidValue = (option: keyof typeof options, rule: string, value: Values[keyof Values]) =>
  usageError(errors.option_value_invalid, { option, rule, value: JSON.stringify(value) });

function usageError<const E extends (typeof errors)[keyof typeof errors]>(
  entry: E,
  values: Omit<ValuesOf<E>, "usage">,
): CatalogueError {
  const args = [entry, { ...values, usage: USAGE }] as unknown as ConstructorParameters<typeof CatalogueError<E>>;
  return new CatalogueError<E>(...args);
}
