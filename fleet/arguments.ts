/** What `npm run fleet` is told. */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { type Environment, environments } from "#domain/environment.ts";
import { slugFault } from "#domain/names/slug.ts";

/** Those that give one tenant to somebody else. */
const handOvers = ["adopt", "release", "move"] as const;
const commands = [
  "preview",
  "up",
  "drift",
  "recover",
  "doctor",
  "rotate",
  "dump",
  "restore",
  "repair",
  ...handOvers,
] as const;

const isHandOver = (command: string) => handOvers.some((one) => one === command);

export interface FleetArguments {
  command: (typeof commands)[number];
  /** These stacks alone; of `recover` the one; of `doctor` those of platforms; of `rotate` the secret; of `adopt`, `release` and `move` the tenant's slug. */
  stacks: string[];
  since: string | undefined;
  /** Stacks at a time. */
  parallel: number;
  format: "text" | "json" | "markdown";
  /** Whether changes, drift and what the doctor found are told by the exit code 2. */
  detailedExitCode: boolean;
  destroy: boolean;
  force: boolean;
  fix: boolean;
  /** Hours for which `doctor` has to have seen what it removes. */
  graceHours: number;
  withoutSecrets: boolean;
  /** File of prices. Default: what price lists begin with. */
  prices: string | undefined;
  /** Of the tenant that is handed over. */
  environment: Environment;
  /** Stack that it moves to. */
  to: string | undefined;
  /** What `rotate` is given. */
  rotation: RotationArguments;
  /** Directory of the stacks' files, absolute. */
  tenants: string;
  /** State directory of a local edge that runs. Default: the engine's own variables say where to go. */
  state: string | undefined;
}

export interface RotationArguments {
  /** Stack of the platform; of `dump`, `restore` and `repair` too. */
  stack: string;
  /** Dumps that `dump` keeps. Default: all. */
  keep: number | undefined;
  /** Time to which the vendor of the database restored it; of `restore` without a file. */
  asOf: Date | undefined;
  provider: string | undefined;
  service: string | undefined;
  finish: boolean;
  pauseSeconds: number;
}

const TENANTS = join(import.meta.dirname, "../tenants");

export const USAGE = `npm run fleet -- COMMAND [STACK…] [OPTION…]

  preview             what up would do, without doing any of it
  up                  brings the stacks to what their files declare
  drift               what was changed by hand
  adopt SLUG          a tenant of the dashboard's becomes Git's: its file is written
  release SLUG        a tenant of Git's becomes the dashboard's: its file goes
  move SLUG           its state and its declaration go --to another stack
  recover STACK       frees a stack of what a killed run left
  rotate SECRET       replaces a secret of the platform in --stack; one that others issue is read from standard input
  dump DIR            dumps the database of the platform in --stack to a directory
  restore FILE        restores that database from a dump; --as-of and --finish take no FILE
  repair              restores the schema and the rights of the database of the platform in --stack
  doctor              what belongs together and is not: stacks, rows, and things of the account; STACK is a platform's

  --since REF         stacks alone whose files changed since the branch left REF (default: all)
  --parallel N        stacks at a time, 1 to 16 (default 2)
  --json, --markdown  the report as JSON, or as a comment on a pull request
  --detailed-exitcode ends with 2 where changes, drift or faults were found, or up left a removal
  --destroy           up: destroys stacks whose files were deleted since REF
  --force             recover: though the run that has the stack seems to live
  --fix               doctor: removes what nobody owns and was seen a while ago
  --grace HOURS       doctor: how long ago that is, 1 to 8760 (default 24)
  --without-secrets   preview: as if there were no passphrase
  --prices FILE       prices as GET /prices of the dashboard answers (default: those that price lists begin with)
  --environment NAME  adopt, release, move: the tenant's (default production)
  --to STACK          move: the stack that is to have it; it is made where there is none
  --stack STACK       rotate, dump, restore, repair: the platform's stack
  --as-of TIME        restore: records that the vendor of the database restored it to this time, such as 2026-11-24T08:00:00Z
  --keep N            dump: removes all but the newest N dumps of the stack
  --provider NAME     rotate provider-key: the provider, such as openai
  --service COMMAND   rotate: restarts the automation service with the new secrets, which are in the command's environment
  --finish            rotate: the automation service has the new secret: withdraws the old one
                      restore: the procedure after a restore is finished
  --pause SECONDS     rotate: time between two steps, 0 to 3600 (default 30)
  --tenants DIR       directory of the stacks' files (default tenants/)
  --state DIR         the local edge that runs on that directory, with its state`;

/** Nothing that is being deployed takes an hour. */
const grace = z.coerce.number().min(1).max(8760);
const count = z.coerce.number().int().min(1);
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const pause = z.coerce.number().min(0).max(3600);
const parallel = z.coerce.number().int().min(1).max(16);

/** @throws Error with one sentence and the usage */
export function fleetArguments(argv: readonly string[]): FleetArguments {
  const { values, positionals } = parsed(argv);
  const [name, ...stacks] = positionals;
  const command = commands.find((known) => known === name);
  if (command === undefined) throw misuse(name === undefined ? "Say what to do." : `${name} is no command.`);
  if (command === "recover" && stacks.length !== 1) throw misuse("recover takes the name of one stack.");
  if (isHandOver(command) && stacks.length !== 1) throw misuse(`${command} takes the slug of one tenant.`);
  const fault = isHandOver(command) ? slugFault(stacks[0] ?? "") : undefined;
  if (fault !== undefined) throw misuse(`${JSON.stringify(stacks[0])} ${fault}.`);
  if ((values.to === undefined) === (command === "move")) throw misuse("move takes --to STACK, and nothing else does.");
  if (values.environment !== undefined && !isHandOver(command))
    throw misuse("--environment is for adopt, release and move.");
  const environment = environments.find((known) => known === (values.environment ?? "production"));
  if (environment === undefined) throw misuse(`--environment takes one of ${environments.join(", ")}.`);
  if (values.destroy && (command !== "up" || values.since === undefined))
    throw misuse("--destroy is for up --since REF.");
  if (values.force && command !== "recover") throw misuse("--force is for recover.");
  if ((values.fix || values.grace !== undefined) && command !== "doctor")
    throw misuse("--fix and --grace are for doctor.");
  if (values.since !== undefined && command === "doctor") throw misuse("doctor looks at all: it takes no --since.");
  if (values["without-secrets"] && command !== "preview") throw misuse("--without-secrets is for preview.");
  if (values.json && values.markdown) throw misuse("Choose one of --json and --markdown.");
  const rotation = rotationArguments(command, stacks, values);
  const most = parallel.safeParse(values.parallel ?? 2);
  if (!most.success) throw misuse(`--parallel takes a number from 1 to 16, not ${JSON.stringify(values.parallel)}.`);
  const graceHours = grace.safeParse(values.grace ?? 24);
  if (!graceHours.success) throw misuse(`--grace takes hours from 1 to 8760, not ${JSON.stringify(values.grace)}.`);
  return {
    command,
    stacks,
    since: values.since,
    parallel: most.data,
    format: values.json ? "json" : values.markdown ? "markdown" : "text",
    detailedExitCode: values["detailed-exitcode"] ?? false,
    destroy: values.destroy ?? false,
    force: values.force ?? false,
    fix: values.fix ?? false,
    graceHours: graceHours.data,
    withoutSecrets: values["without-secrets"] ?? false,
    prices: values.prices,
    environment,
    to: values.to,
    rotation,
    tenants: resolve(values.tenants ?? TENANTS),
    state: values.state === undefined ? undefined : resolve(values.state),
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
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
        tenants: { type: "string" },
        state: { type: "string" },
      },
    });
  } catch (error) {
    throw misuse(`${(error as Error).message.split(". ")[0]}.`);
  }
}

function rotationArguments(
  command: string,
  names: readonly string[],
  { stack, keep, "as-of": asOf, provider, service, finish = false, pause: given }: ReturnType<typeof parsed>["values"],
): RotationArguments {
  const isRotation = command === "rotate";
  if (isRotation && (names.length !== 1 || stack === undefined))
    throw misuse("rotate takes one SECRET and --stack STACK.");
  if (command === "dump" && (names.length !== 1 || stack === undefined))
    throw misuse("dump takes one DIR and --stack STACK.");
  const isRestore = command === "restore";
  const isDump = command === "dump" || isRestore;
  const ways = [names.length === 1, asOf !== undefined, finish];
  if (isRestore && (ways.filter(Boolean).length !== 1 || names.length > 1 || stack === undefined))
    throw misuse("restore takes one of FILE, --as-of TIME and --finish, and --stack STACK.");
  const time = instant.optional().safeParse(asOf);
  if (!time.success || (asOf !== undefined && !isRestore))
    throw misuse("--as-of is for restore, and takes a time such as 2026-11-24T08:00:00Z.");
  const isRepair = command === "repair";
  if (isRepair && (names.length > 0 || stack === undefined)) throw misuse("repair takes --stack STACK alone.");
  if (!isRotation && !isDump && !isRepair && stack !== undefined)
    throw misuse("--stack is for rotate, dump, restore and repair.");
  if (!isRotation && [provider, service, given].some((option) => option !== undefined)) {
    throw misuse("--provider, --service and --pause are for rotate.");
  }
  if (keep !== undefined && command !== "dump") throw misuse("--keep is for dump.");
  const kept = count.optional().safeParse(keep);
  if (!kept.success) throw misuse(`--keep takes a number from 1 on, not ${JSON.stringify(keep)}.`);
  if (finish && !isRestore && (!isRotation || service !== undefined))
    throw misuse("--finish is for restore, and for rotate without --service.");
  const seconds = pause.safeParse(given ?? 30);
  if (!seconds.success) throw misuse(`--pause takes seconds from 0 to 3600, not ${JSON.stringify(given)}.`);
  return {
    stack: stack ?? "",
    keep: kept.data,
    asOf: time.data,
    provider,
    service,
    finish,
    pauseSeconds: seconds.data,
  };
}

const misuse = (sentence: string) => new Error(`${sentence}\n\n${USAGE}`);
