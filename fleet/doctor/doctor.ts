/** Looks for what belongs together and is not: stacks, rows, and things of the account. With `fix` it removes what nobody owns. */
import type Cloudflare from "cloudflare";
import { APIError } from "cloudflare";
import type { Kysely } from "kysely";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { isDead, locksOf } from "#automation/engine/state/recovery.ts";
import type { DB } from "#database/types.ts";
import { alone, recordLook, type Sighting } from "#database/work/findings.ts";
import { unfinishedRestores } from "#database/work/restores.ts";
import { stackName } from "#domain/tenants/owner.ts";
import { failureText } from "../failure.ts";
import { openServiceDatabase } from "../postgres/service-database.ts";
import { accountClient, apiWording, listFault, lookAtAccount } from "./account/account-look.ts";
import { tokenStates } from "./account/kinds/api-token.ts";
import { contentOf } from "./account/kinds/bucket.ts";
import { ACCOUNT_KINDS } from "./account/kinds.ts";
import { TenantsByName } from "./account/tenants-by-name.ts";
import type { AccountArgs } from "./account/thing.ts";
import { thingKinds } from "./account/thing.ts";
import { claimsOn } from "./claims.ts";
import type { Conclusion, Evidence, Finding } from "./evidence.ts";
import { bucketsToLookInto } from "./findings/bucket-without-owner.ts";
import { lookAtHeartbeats } from "./heartbeats-look.ts";
import { type Looked, look } from "./looked.ts";
import { lookAtMembers } from "./members-look.ts";
import type { Platform } from "./platform.ts";
import { removeUnowned } from "./removal.ts";
import {
  type DoctorReport,
  type FindingKind,
  findingKinds,
  type KeptBucket,
  type PlatformReport,
  type Removal,
  type ReportedFinding,
} from "./report.ts";
import { lookAtRows, type RowsLook } from "./rows-look.ts";
import { RULES } from "./rules.ts";
import { lookAtSchema } from "./schema-look.ts";
import { BackendLook } from "./stacks/backend-look.ts";
import type { StackFacts } from "./stacks/stack-facts.ts";

export interface DoctorOptions {
  /** Of the engine: where states are and how they are entered, and the account's API. */
  variables: Readonly<Record<string, string>>;
  /** Stacks of platforms, as the backend lists them. Empty: all that it has. */
  platforms: readonly string[];
  /** Stacks that are read at a time. */
  parallel: number;
  /** Whether what nobody owns is removed. */
  fix: boolean;
  /** For how long it has to have been seen before. */
  graceHours: number;
  signal: AbortSignal;
  /** Hears how it goes, a line each. */
  say: (line: string) => void;
}

/** What was found, on its way to the report. */
interface Told {
  kind: FindingKind;
  /** As what it is remembered. */
  about: string;
  finding: Finding;
  reported: ReportedFinding;
}

/** @throws Error with one sentence where the backend cannot be read: nothing is concluded then */
export async function examine(options: DoctorOptions): Promise<DoctorReport> {
  const { variables, parallel, fix, graceHours, signal } = options;
  const client = accountClient(variables);
  const backend = await BackendLook.take({ variables, parallel, signal });
  const platforms = chosen(backend, options.platforms);
  const reports: PlatformReport[] = [];
  for (const platform of platforms) reports.push(await examinePlatform(options, { platform, backend, client }));
  return { command: "doctor", fix, graceHours, platforms: reports };
}

function chosen({ platforms }: BackendLook, names: readonly string[]): Platform[] {
  const unknown = names.find((name) => !platforms.some(({ stack }) => stack === name));
  if (unknown !== undefined) throw new Error(`The backend has no stack ${unknown} with a platform.`);
  if (platforms.length === 0)
    throw new Error("The backend has no stack with a platform: is PULUMI_BACKEND_URL where its states are?");
  return names.length === 0 ? platforms : platforms.filter(({ stack }) => names.includes(stack));
}

interface PlatformArgs {
  platform: Platform;
  backend: BackendLook;
  client: Cloudflare;
}

async function examinePlatform(options: DoctorOptions, args: PlatformArgs): Promise<PlatformReport> {
  const { platform } = args;
  const url = await look(() => secretOutput(platform.stack, "serviceUrl", options.variables));
  const db = "found" in url ? openServiceDatabase(url.found, "tenantry-doctor") : undefined;
  try {
    const schema = await look(
      () =>
        "found" in url
          ? lookAtSchema(url.found, platform.environment)
          : Promise.reject(new Error(noUrl(platform, url.fault))),
      (error) => `the database could not be asked: ${failureText(error)}`,
    );
    return await reportOf(options, { ...args, schema }, db, "fault" in url ? url.fault : "");
  } finally {
    await db?.destroy();
  }
}

async function reportOf(
  options: DoctorOptions,
  args: PlatformArgs & Pick<Evidence, "schema">,
  db: Kysely<DB> | undefined,
  noDatabase: string,
): Promise<PlatformReport> {
  const { platform, backend, client } = args;
  const ask = <T>(work: (db: Kysely<DB>) => Promise<T>, wording = databaseFault) =>
    look(() => (db === undefined ? Promise.reject(new Error(noUrl(platform, noDatabase))) : work(db)), wording);
  const rows = await ask((open) => lookAtRows(open, platform.environment));
  const account: AccountArgs = { client, platform, tenants: tenantsByName(platform, backend, rows) };
  const members = await ask((open) => lookAtMembers(account, open), membersFault);
  const restores = await ask(unfinishedRestores);
  const evidence = { ...(await gather(options, args, account, rows)), members, restores };
  const conclusions = findingKinds.flatMap((kind) => RULES[kind](evidence).map((conclusion) => ({ kind, conclusion })));
  const remembered = await remember(
    db,
    conclusions.map(({ conclusion }) => conclusion),
  );
  const told = conclusions.flatMap(({ kind, conclusion }) => tellOf(kind, conclusion, evidence, remembered, options));
  if (options.fix && db !== undefined) await fix(options, { told, account, backend, db });
  const unlooked = [
    ...conclusions.flatMap(({ conclusion }) => ("fault" in conclusion ? [conclusion.fault] : [])),
    ...("fault" in evidence.heartbeats ? [evidence.heartbeats.fault] : []),
    ...("fault" in remembered ? [remembered.fault] : []),
  ];
  return {
    stack: platform.stack,
    environment: platform.environment,
    findings: told.map(({ reported }) => reported),
    kept: conclusions.flatMap(({ conclusion }) => keptOf(conclusion, evidence)),
    unlooked: [...new Set(unlooked)],
  };
}

const databaseFault = (error: unknown) => `failed to read the database: ${failureText(error)}`;

/** Worded as where groups are listed, so that it is told once. */
const membersFault = (error: unknown) =>
  error instanceof APIError ? listFault(ACCOUNT_KINDS.access_group, error) : databaseFault(error);

const noUrl = ({ stack }: Platform, fault: string) => `its URL is an output of ${stack} that cannot be read: ${fault}`;

/** Known by rows and stacks. */
function tenantsByName(platform: Platform, backend: BackendLook, rows: Looked<RowsLook>): TenantsByName {
  const declared = backend.stacksOf(platform).flatMap(({ tenants }) => tenants);
  const known = "found" in rows ? [...rows.found.tenants, ...rows.found.jobs].map(({ slug }) => slug) : [];
  return new TenantsByName(platform.environment, new Set([...declared, ...known]));
}

async function gather(
  { variables, signal }: DoctorOptions,
  { platform, backend, schema }: PlatformArgs & Pick<Evidence, "schema">,
  account: AccountArgs,
  rows: Looked<RowsLook>,
): Promise<Omit<Evidence, "members" | "restores">> {
  const own = backend.stacksOf(platform);
  const [things, tokens, heartbeats] = await Promise.all([
    lookAtAccount(account),
    look(() => tokenStates(account), apiWording),
    look(
      () => lookAtHeartbeats(platform, variables, signal),
      (error) => `heartbeats, by the right Account Analytics (Read): ${(error as Error).message}`,
    ),
  ]);
  const evidence = { account: things, stacks: backend.stacks };
  const contents = new Map<string, Looked<Awaited<ReturnType<typeof contentOf>>>>();
  for (const { name } of bucketsToLookInto(evidence))
    contents.set(name, await look(() => contentOf(account, name), apiWording));
  const locked = lockedStacks(own, variables.PULUMI_BACKEND_URL ?? "");
  return { platform, ...evidence, own, locked, rows, schema, heartbeats, tokens, contents, now: new Date() };
}

function lockedStacks(own: readonly StackFacts[], backend: string): Evidence["locked"] {
  const living = new Set<string>();
  const dead = new Set<string>();
  for (const { stack } of own) {
    const holders = locksOf(backend, stackName(stack));
    const some = holders.every((holder) => holder === undefined || isDead(holder, {})) ? dead : living;
    if (holders.length > 0) some.add(stack);
  }
  return { living, dead };
}

/** What of it was seen before, and when first. */
async function remember(
  db: Kysely<DB> | undefined,
  conclusions: readonly Conclusion[],
): Promise<Looked<readonly Sighting[]>> {
  if (db === undefined) return { found: [] };
  const whole = conclusions.flatMap((conclusion) => ("fault" in conclusion ? [] : [conclusion]));
  const seen = whole.flatMap(({ about, findings }) => findings.map(({ identity }) => ({ kind: about, identity })));
  const kinds = whole.map(({ about }) => about);
  return look(
    () => recordLook(db, { kinds, seen }),
    (error) => `failed to store when each finding was first seen: ${failureText(error)}`,
  );
}

function tellOf(
  kind: FindingKind,
  conclusion: Conclusion,
  evidence: Evidence,
  remembered: Looked<readonly Sighting[]>,
  { graceHours }: DoctorOptions,
): Told[] {
  if ("fault" in conclusion) return [];
  const { about, findings } = conclusion;
  const sightings = "found" in remembered ? remembered.found.filter((one) => one.kind === about) : [];
  return findings.map((finding) => {
    const { thing, ...plain } = finding;
    const seen = sightings.find(({ identity }) => identity === finding.identity);
    const removal = thing === undefined ? null : removalOf(claimsOn(thing.tenant, evidence), seen, graceHours);
    const firstSeen = seen?.firstSeen.toISOString() ?? null;
    return { kind, about, finding, reported: { kind, ...plain, firstSeen, removal } };
  });
}

const HOUR_MS = 3_600_000;

/** @param seen by the database's clock alone, so that no other clock makes anything older than it is */
export function removalOf(claims: readonly string[], seen: Sighting | undefined, graceHours: number): Removal {
  if (claims.length > 0) return { state: "claimed", why: claims.join("; "), after: null };
  if (seen !== undefined && seen.hours >= graceHours) return { state: "due", why: null, after: null };
  const after = seen && new Date(seen.firstSeen.getTime() + graceHours * HOUR_MS).toISOString();
  return { state: "early", why: null, after: after ?? null };
}

interface FixArgs {
  told: readonly Told[];
  account: AccountArgs;
  backend: BackendLook;
  db: Kysely<DB>;
}

/** Removes what is due, one thing after the other; what of it fails keeps none of the others. */
async function fix(options: DoctorOptions, { told, account, backend, db }: FixArgs): Promise<void> {
  const due = told.filter(({ reported }) => reported.removal?.state === "due");
  if (due.length === 0) return;
  const order = due.toSorted((a, b) => rank(a) - rank(b));
  const done = await alone(db, async () => {
    for (const { finding, reported } of order) {
      if (finding.thing === undefined) continue;
      reported.removal = await removeUnowned(finding.thing, { ...options, account, backend, db });
      options.say(`${reported.what} ${reported.name}: ${reported.removal.state}`);
    }
    return true;
  });
  if (done !== undefined) return;
  for (const { reported } of due)
    reported.removal = { state: "held", why: "another doctor --fix is at work", after: null };
}

const rank = ({ finding }: Told) => (finding.thing === undefined ? 0 : thingKinds.indexOf(finding.thing.kind));

function keptOf(conclusion: Conclusion, { contents }: Evidence): KeptBucket[] {
  if ("fault" in conclusion) return [];
  return (conclusion.kept ?? []).flatMap(({ name, tenant, createdAt }) => {
    const content = contents.get(name);
    return content === undefined || "fault" in content ? [] : [{ name, tenant, createdAt, ...content.found }];
  });
}
