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
import { stackOf, TAKE_OVER_VARIABLE } from "#domain/tenants/owner.ts";
import { failureText } from "../failure.ts";
import { fileOfStack, readLoosely, stackOfFile, writeWhole } from "../files/stack-file.ts";
import { deployedTenants, isDashboards } from "../outcome/plain-state.ts";
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
    throw new Error(
      `A move of ${slug} to ${begun.to} was interrupted. Run npm run fleet -- move ${slug} --to ${begun.to} first.`,
    );
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
      const retry = `Run move ${slug} --to ${to} again to continue. The states before the move are in ${journalDirectory(options)}.`;
      throw new Error(`${failureText(error)}\n${retry}`, { cause: error });
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
  const left = await exportState(from.stack, options.variables);
  const isEmptied = !from.isPlatform && isEmpty(texts.from) && !from.hasPartners;
  const listeners = { onRecovered: say, signal };
  const { config, encryption } = readLoosely(to, texts.to);
  await runs.run({ stack: to, operation: "up", config, encryption }, listeners);
  if (isEmptied) {
    // Only a provider is left in it.
    if (left !== undefined) await runs.run({ stack: from.stack, operation: "destroy", config: from.config }, listeners);
    rmSync(from.path, { force: true });
  } else writeWhole(from.path, texts.from);
  await rehearseHandover(options, statesByStack(plan, await readStates(plan, options), options), async (rehearsal) => {
    await refuseChanges(rehearsal, plan, to, texts.to, { updates: "none" });
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
  if (stackOfFile(fileOfStack(to)) === undefined) throw new Error(`${JSON.stringify(to)} is not a valid stack name.`);
  const target = existsSync(file) ? readStack(to, file) : undefined;
  const others = stacksDeclaring(directory, environment, slug).filter(({ path }) => path !== file);
  const from = others[0] ?? (begunFrom === undefined ? undefined : interruptedSource(options, begunFrom));
  if (others.length > 1) {
    throw new Error(`More than one file declares ${slug}: ${others.map(({ path }) => path).join(", ")}.`);
  }
  if (from === undefined) {
    if (target?.slugs.includes(slug)) return undefined;
    throw new Error(
      `No file in ${directory} or ${dirname(directory)} declares ${slug} in ${environment}. If the dashboard manages it, run ` +
        `npm run fleet -- adopt ${slug} first. If it is in another environment, set --environment.`,
    );
  }
  if (from.stack === to) throw new Error(`${from.path} declares ${slug} already. Set --to to another stack.`);
  const platformStack = qualifiedStack(await platformOf(from, options));
  if (target !== undefined) checkTarget(target, options, platformStack);
  return {
    from,
    file,
    platformStack,
    texts: { from: withoutClient(from.text, slug), to: targetText(options, from, target, platformStack) },
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
  new Error(`${slug} is not deployed. Run npm run fleet -- up ${stack} first.`);

function targetText(
  { slug, environment }: MoveOptions,
  from: DeclaringStack,
  target: DeclaringStack | undefined,
  platformStack: string,
): string {
  if (target?.slugs.includes(slug)) return target.text;
  const entry = entryOf(from.text, slug);
  if (entry === undefined)
    throw new Error(`${from.path} does not declare ${slug} as an entry of a list. Write it as one.`);
  const setting = "tenantry:backupBeforeRedeploy";
  const more = setting in from.config ? { [setting]: from.config[setting] } : {};
  const text = target?.text ?? stackFileText({ encryption: {}, environment, platformStack, more, clients: [] });
  return withClient(text, entry);
}

function checkTarget(target: DeclaringStack, { environment, slug }: MoveOptions, platformStack: string): void {
  const { path } = target;
  if (target.isPlatform) throw new Error(`${path} declares a platform. Choose a stack of tenants.`);
  if (target.managedBy !== "git") throw new Error(`The dashboard manages the stack of ${path}. Choose another stack.`);
  if (target.environment !== environment) {
    throw new Error(`${path} is for ${target.environment}, but ${slug} is in ${environment}. Choose another stack.`);
  }
  if (!target.platformStacks.some((name) => isSameStack(name, platformStack))) {
    throw new Error(
      `${path} is for the platform ${target.platformStacks.join(" or ")}, but ${slug} belongs to ${platformStack}. Choose another stack.`,
    );
  }
}

function checkRows({ slug, managedBy, owner }: TenantRows, { from }: Plan, { to }: MoveOptions): void {
  if (managedBy !== "git") {
    throw new Error(`The dashboard manages ${slug}. Run npm run fleet -- adopt ${slug} first.`);
  }
  const current = owningStack(owner);
  if (current !== from.stack && current !== to) {
    throw new Error(
      `${slug} was deployed by ${current ?? "no stack"}, not by ${from.stack}. Run npm run fleet -- up ${from.stack} first.`,
    );
  }
}

/** @throws Error unless one stack has the tenant, or both after an interrupted move */
function checkStates({ from, file }: Plan, states: States, { owner }: TenantRows, { slug, to }: MoveOptions): void {
  const { inFrom, inTo } = placesOf(states, slug);
  const isBegun = owner !== null && stackOf(owner) === `${PROJECT}/${to}`;
  if (!inFrom && !inTo) throw notDeployed(slug, from);
  if (inTo && !isBegun)
    throw new Error(
      `The stack ${to} has a tenant ${slug} already, but ${from.stack} owns it. Recover one of the two first.`,
    );
  if (isDashboards(states.to) && !inTo) throw new Error(`The dashboard manages the stack ${to}. Choose another stack.`);
  const others = [...deployedTenants(states.to).keys()].filter((other) => other !== slug);
  if (others.length > 0 && !existsSync(file)) {
    throw new Error(`The stack ${to} has ${others.join(", ")}, but ${file} does not exist. Restore the file first.`);
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
    await refuseChanges(rehearsal, plan, to, plan.texts.to, { updates: "owners" }, variables);
    await refuseSourceChanges(rehearsal, plan, options);
  });
}

function refuseSourceChanges(rehearsal: Rehearsal, plan: Plan, { environment, platformVariables }: MoveOptions) {
  const { from, texts } = plan;
  const variables = from.isPlatform ? platformVariables(environment) : {};
  return refuseChanges(rehearsal, plan, from.stack, texts.from, { updates: "none" }, variables);
}

async function refuseChanges(
  rehearsal: Rehearsal,
  { from }: Plan,
  stack: string,
  text: string,
  allowed: AllowedChanges,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const changes = await rehearsal.preview(stack, readLoosely(stack, text).config, variables);
  const forbidden = forbiddenChanges(changes, allowed);
  if (forbidden.length === 0) return;
  throw new Error(
    `A deployment would change the stack ${stack}: ${forbidden.join("; ")}. Deploy ${from.stack} and the target as their files declare first.`,
  );
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
