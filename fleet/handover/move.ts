/** Moves the state, rows and declaration of a tenant to another stack. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as z from "zod";
import { isSameStack, platformStackOf } from "#automation/engine/platform-stacks.ts";
import { encryptionOf } from "#automation/engine/project.ts";
import { PROJECT } from "#automation/engine/project-name.ts";
import { EngineRuns } from "#automation/engine/runs.ts";
import { type ExportedState, exportState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { forgetState, moveState } from "#automation/engine/state/state-move.ts";
import type { TenantRows } from "#database/tenants/handover.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetMoveErrors as errors } from "#domain/errors/commands/fleet-move.ts";
import { stackOf, TAKE_OVER_VARIABLE } from "#domain/tenants/owner.ts";
import { failureText } from "../failure.ts";
import { fileOfStack, readLoosely, stackOfFile, writeWhole } from "../files/stack-file.ts";
import { deployedTenants, isDashboards } from "../outcome/plain-state.ts";
import {
  type DoorSecrets,
  hasDoorSecrets,
  readDoorSecrets,
  withDoorSecrets,
  withoutDoorSecrets,
  writeDoorSecrets,
} from "./door-secrets.ts";
import { Handover, type HandoverOptions, owningStack } from "./handover.ts";
import { type AllowedChanges, forbiddenChanges, type Rehearsal, rehearseHandover } from "./rehearsal.ts";
import { type DeclaringStack, readStack, stacksDeclaring } from "./sources.ts";
import { entryOf, stackFileText, withClient, withoutClient } from "./tenant-file.ts";

export interface MoveOptions extends HandoverOptions {
  to: string;
}

interface Plan {
  from: DeclaringStack;
  /** Path of the target's file. */
  file: string;
  /** New texts of both files. */
  texts: { from: string; to: string };
  platformStack: string;
  /** For the target; undefined if there are none, or if it has them. */
  doorSecrets: DoorSecrets | undefined;
}

interface States {
  from: ExportedState | undefined;
  to: ExportedState | undefined;
}

/** Also continues an interrupted move. @throws Error; nothing has changed unless it says to run the command again */
export async function moveTenant(options: MoveOptions): Promise<void> {
  const { slug, to, say } = options;
  const begun = readJournal(options);
  if (begun !== undefined && begun.to !== to) {
    throw new CatalogueError(errors.move_to_other_stack_begun, { slug, begun: begun.to });
  }
  const plan = await planMove(options, begun?.from);
  if (plan === undefined) {
    say(`${slug} is in ${to} already.`);
    return;
  }
  const states = await readStates(plan, options);
  const handover = await Handover.begin({ ...options, platformStack: plan.platformStack });
  try {
    const check = (rows: TenantRows) => checkRows(rows, plan, options);
    check(handover.rows);
    checkStates(plan, states, handover.rows, options);
    const { inFrom, inTo } = placesOf(states, slug);
    if (inFrom && !inTo) await rehearseMove(plan, states, options);
    try {
      storeStates(plan, states, options);
      // From here on, runs of the source are refused, and runs of neither stack remove anything of the tenant.
      await handover.setStack(`${PROJECT}/${to}`, check);
      const backend = { variables: options.variables, onRecovered: say };
      if (inFrom && inTo) await forgetState(plan.from.stack, clientUrn(plan, slug), backend);
      else if (inFrom) await moveState(stateMove(plan, states, options), backend);
      await finishMove(plan, options);
    } catch (error) {
      const values = { slug, stack: to, directory: journalDirectory(options), cause: failureText(error) };
      throw new CatalogueError(errors.move_incomplete, values, { cause: error });
    }
  } finally {
    await handover.end();
  }
}

const clientUrn = ({ from }: Plan, slug: string) =>
  `urn:pulumi:${from.stack}::${PROJECT}::tenantry:components:Client::${slug}`;

const stateMove = (plan: Plan, states: States, { slug, to }: MoveOptions) => ({
  from: plan.from.stack,
  to,
  urn: clientUrn(plan, slug),
  encryption: states.to && encryptionOf(states.to.deployment),
});

/** Completes the move after the target has the state: files, owners and an empty source. */
async function finishMove(plan: Plan, options: MoveOptions): Promise<void> {
  const { slug, to, signal, say } = options;
  const { from, file, texts } = plan;
  const runs = new EngineRuns(options);
  writeWhole(file, texts.to);
  if (plan.doorSecrets !== undefined) await writeDoorSecrets(file, to, plan.doorSecrets, options);
  const text = readFileSync(file, "utf8");
  const left = await exportState(from.stack, options.variables);
  const isEmptied = !from.isPlatform && isEmpty(texts.from) && !from.hasPartners;
  const listeners = { onRecovered: say, signal };
  const { config, encryption } = readLoosely(to, text);
  await runs.run({ stack: to, operation: "up", config, encryption }, listeners);
  if (isEmptied) {
    // Only a provider is left in it.
    if (left !== undefined) await runs.run({ stack: from.stack, operation: "destroy", config: from.config }, listeners);
    rmSync(from.path, { force: true });
  } else writeWhole(from.path, texts.from);
  await rehearseHandover(options, statesByStack(plan, await readStates(plan, options), options), async (rehearsal) => {
    await refuseChanges(rehearsal, plan, to, readLoosely(to, text).config, { updates: "none" });
    if (!isEmptied) await refuseSourceChanges(rehearsal, plan, options);
  });
  rmSync(journalOf(options), { force: true });
  const files = [file, from.path].map((path) => relative(process.cwd(), path)).join(" and ");
  say(`${slug} is in ${to}${isEmptied ? `, and ${from.stack} is removed` : ""}. Commit ${files}.`);
}

/** @param begunFrom source of an interrupted move @returns `undefined` if the target has the tenant already */
async function planMove(options: MoveOptions, begunFrom: string | undefined): Promise<Plan | undefined> {
  const { slug, environment, directory, to } = options;
  const file = join(directory, fileOfStack(to));
  if (stackOfFile(fileOfStack(to)) === undefined)
    throw new CatalogueError(errors.move_target_name_invalid, { name: JSON.stringify(to) });
  const target = existsSync(file) ? readStack(to, file) : undefined;
  const others = stacksDeclaring(directory, environment, slug).filter(({ path }) => path !== file);
  const from = others[0] ?? (begunFrom === undefined ? undefined : interruptedSource(options, begunFrom));
  if (others.length > 1) {
    throw new CatalogueError(errors.move_tenant_declared_twice, {
      slug,
      files: others.map(({ path }) => path).join(", "),
    });
  }
  if (from === undefined) {
    if (target?.slugs.includes(slug)) return undefined;
    const directories = `${directory} or ${dirname(directory)}`;
    throw new CatalogueError(errors.move_tenant_not_declared, { slug, environment, directories });
  }
  if (from.stack === to) throw new CatalogueError(errors.move_to_same_stack, { file: from.path, slug });
  const platformStack = qualifiedStack(await platformOf(from, options));
  if (target !== undefined) checkTarget(target, options, platformStack);
  const given = { file, config: target?.config ?? {} };
  return {
    from,
    file,
    platformStack,
    texts: {
      from: withoutDoorSecrets(withoutClient(from.text, slug), slug),
      to: targetText(options, from, target, platformStack),
    },
    doorSecrets: hasDoorSecrets(slug, from, given) ? await readDoorSecrets(from, options) : undefined,
  };
}

/** Returns the platform of the source's tenants. If its file names several, the state of either stack decides. */
async function platformOf(from: DeclaringStack, { slug, to, variables }: MoveOptions): Promise<string> {
  if (from.isPlatform) return from.stack;
  const [only = "", another] = from.platformStacks;
  if (another === undefined) return only;
  for (const stack of [from.stack, to]) {
    const found = platformStackOf(await exportState(stack, variables));
    if (found !== undefined) return found;
  }
  throw notDeployed(slug, from);
}

const notDeployed = (slug: string, { stack }: DeclaringStack) =>
  new CatalogueError(errors.move_tenant_not_deployed, { slug, stack });

function targetText(
  { slug, environment }: MoveOptions,
  from: DeclaringStack,
  target: DeclaringStack | undefined,
  platformStack: string,
): string {
  if (target?.slugs.includes(slug)) return target.text;
  const entry = entryOf(from.text, slug);
  if (entry === undefined) throw new CatalogueError(errors.move_declaration_unsupported, { file: from.path, slug });
  const setting = "tenantry:backupBeforeRedeploy";
  const more = setting in from.config ? { [setting]: from.config[setting] } : {};
  const text = target?.text ?? stackFileText({ encryption: {}, environment, platformStack, more, clients: [] });
  return withClient(text, entry);
}

function checkTarget(target: DeclaringStack, { environment, slug }: MoveOptions, platformStack: string): void {
  const { path: file } = target;
  if (target.isPlatform) throw new CatalogueError(errors.move_to_platform, { file });
  if (target.managedBy !== "git") throw new CatalogueError(errors.move_to_dashboard_file, { file });
  if (target.environment !== environment) {
    throw new CatalogueError(errors.move_to_other_environment, { file, found: target.environment, slug, environment });
  }
  if (!target.platformStacks.some((name) => isSameStack(name, platformStack))) {
    const found = target.platformStacks.join(" or ");
    throw new CatalogueError(errors.move_to_other_platform, { file, found, slug, platform: platformStack });
  }
}

function checkRows({ slug, managedBy, owner }: TenantRows, { from }: Plan, { to }: MoveOptions): void {
  if (managedBy !== "git") {
    throw new CatalogueError(errors.move_of_dashboard_tenant, { slug });
  }
  const current = owningStack(owner);
  if (current !== from.stack && current !== to) {
    throw new CatalogueError(errors.move_from_other_owner, { slug, owner: current ?? "no stack", stack: from.stack });
  }
}

/** @throws Error unless one stack has the tenant, or both after an interrupted move */
function checkStates({ from, file }: Plan, states: States, { owner }: TenantRows, { slug, to }: MoveOptions): void {
  const { inFrom, inTo } = placesOf(states, slug);
  const isBegun = owner !== null && stackOf(owner) === `${PROJECT}/${to}`;
  if (!inFrom && !inTo) throw notDeployed(slug, from);
  if (inTo && !isBegun)
    throw new CatalogueError(errors.move_target_has_tenant, { target: to, slug, stack: from.stack });
  if (isDashboards(states.to) && !inTo) throw new CatalogueError(errors.move_to_dashboard_stack, { stack: to });
  const others = [...deployedTenants(states.to).keys()].filter((other) => other !== slug);
  if (others.length > 0 && !existsSync(file)) {
    throw new CatalogueError(errors.move_target_without_file, { stack: to, tenants: others.join(", "), file });
  }
}

function placesOf({ from, to }: States, slug: string): { inFrom: boolean; inTo: boolean } {
  return { inFrom: deployedTenants(from).has(slug), inTo: deployedTenants(to).has(slug) };
}

async function readStates({ from }: Plan, { to, variables }: MoveOptions): Promise<States> {
  const [source, target] = await Promise.all([exportState(from.stack, variables), exportState(to, variables)]);
  return { from: source, to: target };
}

const statesByStack = ({ from }: Plan, states: States, { to }: MoveOptions) => ({
  [from.stack]: states.from,
  [to]: states.to,
});

/** Moves copies of the stacks. @throws Error if a deployment would then change more than the owner */
async function rehearseMove(plan: Plan, states: States, options: MoveOptions): Promise<void> {
  const { slug, to, say: onRecovered } = options;
  await rehearseHandover(options, statesByStack(plan, states, options), async (rehearsal) => {
    await moveState(stateMove(plan, states, options), { variables: rehearsal.variables, onRecovered });
    const variables = { [TAKE_OVER_VARIABLE]: slug };
    const config = withDoorSecrets(readLoosely(to, plan.texts.to).config, slug, plan.doorSecrets);
    await refuseChanges(rehearsal, plan, to, config, { updates: "owners" }, variables);
    await refuseSourceChanges(rehearsal, plan, options);
  });
}

function refuseSourceChanges(rehearsal: Rehearsal, plan: Plan, { environment, platformVariables }: MoveOptions) {
  const { from, texts } = plan;
  const variables = from.isPlatform ? platformVariables(environment) : {};
  const { config } = readLoosely(from.stack, texts.from);
  return refuseChanges(rehearsal, plan, from.stack, config, { updates: "none" }, variables);
}

async function refuseChanges(
  rehearsal: Rehearsal,
  { from }: Plan,
  stack: string,
  config: Readonly<Record<string, unknown>>,
  allowed: AllowedChanges,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const changes = await rehearsal.preview(stack, config, variables);
  const forbidden = forbiddenChanges(changes, allowed);
  if (forbidden.length === 0) return;
  throw new CatalogueError(errors.move_changes_stack, { stack, changes: forbidden.join("; "), source: from.stack });
}

function isEmpty(text: string): boolean {
  const clients = readLoosely("", text).config["tenantry:clients"];
  return !Array.isArray(clients) || clients.length === 0;
}

const journalDirectory = ({ directory }: Pick<MoveOptions, "directory">): string => join(dirname(directory), ".fleet");
const journalOf = (options: MoveOptions): string =>
  join(journalDirectory(options), `move-${options.environment}-${options.slug}.json`);

/** Record of a move that has begun. */
const journal = z.object({ from: z.string(), path: z.string(), text: z.string(), to: z.string() });

function readJournal(options: MoveOptions): z.infer<typeof journal> | undefined {
  const file = journalOf(options);
  return existsSync(file) ? journal.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}

/** Returns the source of an interrupted move, whose file may no longer declare the tenant or exist. */
function interruptedSource(options: MoveOptions, stack: string): DeclaringStack | undefined {
  const begun = readJournal(options);
  if (begun === undefined) return undefined;
  if (!existsSync(begun.path)) writeFileSync(begun.path, begun.text);
  return readStack(stack, begun.path);
}

/** Stores both states and the journal. */
function storeStates({ from }: Plan, states: States, options: MoveOptions): void {
  const directory = journalDirectory(options);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString().replaceAll(/[:.]/g, "-");
  for (const [stack, state] of [
    [from.stack, states.from],
    [options.to, states.to],
  ] as const) {
    if (state === undefined) continue;
    writeFileSync(join(directory, `${stack}-${at}.json`), JSON.stringify(state), { mode: 0o600 });
  }
  if (readJournal(options) !== undefined) return;
  const entry = { from: from.stack, path: from.path, text: from.text, to: options.to };
  writeWhole(journalOf(options), JSON.stringify(entry));
}
