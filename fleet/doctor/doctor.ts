/** Finds stacks, rows and account resources that do not match. With `fix`, removes resources without an owner. */
import type Cloudflare from "cloudflare";
import { APIError } from "cloudflare";
import type { Kysely } from "kysely";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { isDead, locksOf } from "#automation/engine/state/recovery.ts";
import { cloudflareFault } from "#automation/outside/cloudflare.ts";
import type { DB } from "#database/types.ts";
import { runExclusively, type Sighting, storeFindings } from "#database/work/findings.ts";
import { unfinishedRestores } from "#database/work/restores.ts";
import { asSentence, CatalogueError, errorLine } from "#domain/errors/catalogue-error.ts";
import { fleetRunErrors } from "#domain/errors/commands/fleet-runs.ts";
import { stackName } from "#domain/tenants/owner.ts";
import { failureText } from "../failure.ts";
import type { FleetOptions } from "../options.ts";
import { openServiceDatabase } from "../postgres/service-database.ts";
import { accountClient, listAccountResources, listFault } from "./account/account.ts";
import { type AccountArgs, resourceKinds } from "./account/account-resource.ts";
import { tokenStates } from "./account/kinds/api-token.ts";
import { type BucketContent, contentOf } from "./account/kinds/bucket.ts";
import { ACCOUNT_KINDS } from "./account/kinds.ts";
import { TenantsByName } from "./account/tenants-by-name.ts";
import { type Checked, checkWork } from "./checked.ts";
import { claimsOn } from "./claims.ts";
import type { Conclusion, Evidence, Finding } from "./evidence.ts";
import { bucketsWithoutStack } from "./findings/bucket-without-owner.ts";
import { readHeartbeats } from "./heartbeats.ts";
import { readMembers } from "./members.ts";
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
import { type KnownRows, readRows } from "./rows.ts";
import { RULES } from "./rules.ts";
import { checkSchema } from "./schema.ts";
import { BackendSnapshot } from "./stacks/backend-snapshot.ts";
import type { StackFacts } from "./stacks/stack-facts.ts";

export interface DoctorOptions extends Pick<FleetOptions, "variables" | "signal" | "say"> {
  /** Stacks of platforms, as the backend lists them. Empty: all platforms. */
  platforms: readonly string[];
  parallel: number;
  fix: boolean;
  /** Hours since the first sighting after which a resource may be removed. */
  graceHours: number;
}

interface PlatformArgs {
  platform: Platform;
  backend: BackendSnapshot;
  client: Cloudflare;
}

interface PendingFinding {
  finding: Finding;
  reported: ReportedFinding;
}

/** @throws Error if the backend cannot be read */
export async function examinePlatforms(options: DoctorOptions): Promise<DoctorReport> {
  const { variables, parallel, fix, graceHours, signal } = options;
  const client = await accountClient(variables);
  const backend = await BackendSnapshot.read({ variables, parallel, signal });
  const platforms = selectPlatforms(backend, options.platforms);
  const reports: PlatformReport[] = [];
  for (const platform of platforms) reports.push(await examinePlatform(options, { platform, backend, client }));
  return { command: "doctor", fix, graceHours, platforms: reports };
}

function selectPlatforms({ platforms }: BackendSnapshot, names: readonly string[]): Platform[] {
  const unknown = names.find((name) => !platforms.some(({ stack }) => stack === name));
  if (unknown !== undefined) throw new CatalogueError(fleetRunErrors.doctor_stack_not_platform, { stack: unknown });
  if (platforms.length === 0) throw new CatalogueError(fleetRunErrors.doctor_no_platform);
  return names.length === 0 ? platforms : platforms.filter(({ stack }) => names.includes(stack));
}

async function examinePlatform(options: DoctorOptions, args: PlatformArgs): Promise<PlatformReport> {
  const { platform, backend, client } = args;
  const url = await checkWork(() => secretOutput(platform.stack, "serviceUrl", options.variables));
  const db = "found" in url ? openServiceDatabase(url.found, "tenantry-doctor") : undefined;
  const query = <T>(work: (db: Kysely<DB>, url: string) => Promise<T>, wording = databaseFault) =>
    checkWork(async () => {
      if (db !== undefined && "found" in url) return work(db, url.found);
      const fault = "fault" in url ? `: ${url.fault}` : "";
      throw new CatalogueError(fleetRunErrors.doctor_database_unknown, {
        stack: platform.stack,
        fault: asSentence(fault),
      });
    }, wording);
  try {
    const schema = await query((_db, serviceUrl) => checkSchema(serviceUrl, platform.environment));
    const rows = await query((open) => readRows(open, platform.environment));
    const account: AccountArgs = { client, platform, tenants: tenantsByName(platform, backend, rows) };
    const members = await query((open) => readMembers(account, open), membersFault);
    const restores = await query(unfinishedRestores);
    const gathered = await gatherEvidence(options, args, account);
    return await reportPlatform(options, { account, backend, db }, { ...gathered, schema, rows, members, restores });
  } finally {
    await db?.destroy();
  }
}

interface ReportArgs {
  account: AccountArgs;
  backend: BackendSnapshot;
  db: Kysely<DB> | undefined;
}

async function reportPlatform(options: DoctorOptions, args: ReportArgs, evidence: Evidence): Promise<PlatformReport> {
  const { platform, heartbeats } = evidence;
  const conclusions = findingKinds.flatMap((kind) => RULES[kind](evidence).map((conclusion) => ({ kind, conclusion })));
  const sightings = await recordSightings(
    args.db,
    conclusions.map(({ conclusion }) => conclusion),
  );
  const findings = conclusions.flatMap(({ kind, conclusion }) =>
    pendingFindings(kind, conclusion, evidence, sightings, options),
  );
  if (options.fix && args.db !== undefined) await removeDue(options, findings, { ...args, db: args.db });
  const failed = [...conclusions.map(({ conclusion }) => conclusion), heartbeats, sightings].flatMap((result) =>
    "fault" in result ? [result.fault] : [],
  );
  return {
    stack: platform.stack,
    environment: platform.environment,
    findings: findings.map(({ reported }) => reported),
    kept: conclusions.flatMap(({ conclusion }) => keptBuckets(conclusion, evidence)),
    failedChecks: [...new Set(failed)],
  };
}

const databaseFault = (error: unknown) =>
  error instanceof CatalogueError
    ? error.message
    : errorLine(fleetRunErrors.doctor_database_unreadable, { fault: failureText(error) });

/** Same wording as the list of groups, so that the fault is reported once. */
const membersFault = (error: unknown) =>
  error instanceof APIError ? listFault(ACCOUNT_KINDS.access_group, error) : databaseFault(error);

function tenantsByName(platform: Platform, backend: BackendSnapshot, rows: Checked<KnownRows>): TenantsByName {
  const declared = backend.stacksOf(platform).flatMap(({ tenants }) => tenants);
  const known = "found" in rows ? [...rows.found.tenants, ...rows.found.jobs].map(({ slug }) => slug) : [];
  return new TenantsByName(platform.environment, new Set([...declared, ...known]));
}

async function gatherEvidence({ variables, signal }: DoctorOptions, args: PlatformArgs, account: AccountArgs) {
  const { platform, backend } = args;
  const own = backend.stacksOf(platform);
  const [resources, tokens, heartbeats] = await Promise.all([
    listAccountResources(account),
    checkWork(() => tokenStates(account), cloudflareFault),
    checkWork(
      () => readHeartbeats(platform, variables, signal),
      (error) => errorLine(fleetRunErrors.doctor_heartbeats_unreadable, { fault: (error as Error).message }),
    ),
  ]);
  const evidence = { account: resources, stacks: backend.stacks };
  const contents = new Map<string, Checked<BucketContent>>();
  for (const { name } of bucketsWithoutStack(evidence))
    contents.set(name, await checkWork(() => contentOf(account, name), cloudflareFault));
  const locked = lockedStacks(own, variables.PULUMI_BACKEND_URL ?? "");
  return { platform, ...evidence, own, locked, heartbeats, tokens, contents, now: new Date() };
}

function lockedStacks(own: readonly StackFacts[], backend: string): Evidence["locked"] {
  const living = new Set<string>();
  const dead = new Set<string>();
  for (const { stack } of own) {
    const holders = locksOf(backend, stackName(stack));
    const group = holders.every((holder) => holder === undefined || isDead(holder, {})) ? dead : living;
    if (holders.length > 0) group.add(stack);
  }
  return { living, dead };
}

/** Stores what was found and returns when each finding was first seen. */
async function recordSightings(
  db: Kysely<DB> | undefined,
  conclusions: readonly Conclusion[],
): Promise<Checked<readonly Sighting[]>> {
  if (db === undefined) return { found: [] };
  const complete = conclusions.flatMap((conclusion) => ("fault" in conclusion ? [] : [conclusion]));
  const seen = complete.flatMap(({ about, findings }) => findings.map(({ identity }) => ({ kind: about, identity })));
  const kinds = complete.map(({ about }) => about);
  return checkWork(
    () => storeFindings(db, { kinds, seen }),
    (error) => errorLine(fleetRunErrors.doctor_findings_not_stored, { fault: failureText(error) }),
  );
}

function pendingFindings(
  kind: FindingKind,
  conclusion: Conclusion,
  evidence: Evidence,
  sightings: Checked<readonly Sighting[]>,
  { graceHours }: DoctorOptions,
): PendingFinding[] {
  if ("fault" in conclusion) return [];
  const { about, findings } = conclusion;
  const seenBefore = "found" in sightings ? sightings.found.filter((sighting) => sighting.kind === about) : [];
  return findings.map((finding) => {
    const { removable, tenant = null, createdAt = null, ...plain } = finding;
    const seen = seenBefore.find(({ identity }) => identity === finding.identity);
    const removal = removable === undefined ? null : removalOf(claimsOn(removable, evidence), seen, graceHours);
    const firstSeen = seen?.firstSeen.toISOString() ?? null;
    return { finding, reported: { kind, ...plain, tenant, createdAt, firstSeen, removal } };
  });
}

const HOUR_MS = 3_600_000;

/** @param seen by the database's clock, which other clocks cannot shorten */
export function removalOf(claims: readonly string[], seen: Sighting | undefined, graceHours: number): Removal {
  if (claims.length > 0) return { state: "claimed", why: claims.join("; "), after: null };
  if (seen !== undefined && seen.hours >= graceHours) return { state: "due", why: null, after: null };
  const after = seen && new Date(seen.firstSeen.getTime() + graceHours * HOUR_MS).toISOString();
  return { state: "early", why: null, after: after ?? null };
}

/** Removes due resources one after the other. A failed removal does not stop the next. */
async function removeDue(
  options: DoctorOptions,
  findings: readonly PendingFinding[],
  args: ReportArgs & { db: Kysely<DB> },
): Promise<void> {
  const due = findings.filter(({ reported }) => reported.removal?.state === "due");
  if (due.length === 0) return;
  const order = due.toSorted((a, b) => removalRank(a) - removalRank(b));
  const done = await runExclusively(args.db, async () => {
    for (const { finding, reported } of order) {
      if (finding.removable === undefined) continue;
      reported.removal = await removeUnowned(finding.removable, { ...options, ...args });
      options.say(`${reported.what} ${reported.name}: ${reported.removal.state}`);
    }
    return true;
  });
  if (done !== undefined) return;
  for (const { reported } of due)
    reported.removal = { state: "held", why: "another doctor --fix is running", after: null };
}

const removalRank = ({ finding: { removable } }: PendingFinding) =>
  removable === undefined ? 0 : resourceKinds.indexOf(removable.kind);

function keptBuckets(conclusion: Conclusion, { contents }: Evidence): KeptBucket[] {
  if ("fault" in conclusion) return [];
  return (conclusion.kept ?? []).flatMap(({ name, tenant, createdAt }) => {
    const content = contents.get(name);
    return content === undefined || "fault" in content ? [] : [{ name, tenant, createdAt, ...content.found }];
  });
}
