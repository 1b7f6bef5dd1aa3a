/** A tenant goes to another stack, as it stands: its state, its rows and its declaration. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as z from "zod";
import { isSameStack, platformStackOf } from "#automation/engine/platform-stacks.ts";
import { encryptionOf } from "#automation/engine/project.ts";
import { PROJECT } from "#automation/engine/project-name.ts";
import { EngineRuns } from "#automation/engine/runs.ts";
import { type ExportedState, exportState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { forgetState, moveState } from "#automation/engine/state/state-move.ts";
import type { TenantRows } from "#database/tenants/hand-over.ts";
import type { Environment } from "#domain/environment.ts";
import { stackOf, TAKE_OVER_VARIABLE } from "#domain/tenants/owner.ts";
import { failureText } from "../failure.ts";
import { fileOfStack, readLoosely, stackOfFile } from "../files/stack-file.ts";
import { writeWhole } from "../files/write-whole.ts";
import { deployedTenants, isDashboards } from "../outcome/plain-state.ts";
import { HandOver } from "./hand-over.ts";
import type { HandOverOptions } from "./options.ts";
import { losses, Rehearsal } from "./rehearsal.ts";
import { type DeclaringStack, readStack, stacksDeclaring } from "./sources.ts";
import { entryOf, stackFileText, withClient, withoutClient } from "./tenant-file.ts";

export interface MoveOptions extends HandOverOptions {
  /** Stack that is to have the tenant; it is made where there is none. */
  to: string;
  /** What a platform's own program is given beside the engine's variables, where it leaves a platform's stack. */
  platformVariables: (environment: Environment) => Readonly<Record<string, string>>;
}

/** A move, as it is found or planned. */
interface Plan {
  from: DeclaringStack;
  /** Path of the target's file. */
  file: string;
  /** Of the two files, as they are to be. */
  texts: { from: string; to: string };
  platformStack: string;
}

/** Of both stacks; `undefined` where there is no such stack. */
interface States {
  from: ExportedState | undefined;
  to: ExportedState | undefined;
}

/**
 * Carries it out, or goes on where a killed run stopped.
 *
 * @throws Error with one sentence; nothing has changed then, unless it says that it is to be run again
 */
export async function move(options: MoveOptions): Promise<void> {
  const { slug, to, say } = options;
  const begun = readJournal(options);
  if (begun !== undefined && begun.to !== to) {
    throw new Error(
      `A move of ${slug} to ${begun.to} was interrupted: npm run fleet -- move ${slug} --to ${begun.to} first.`,
    );
  }
  const plan = await planned(options, begun?.from);
  if (plan === undefined) {
    say(`${slug} is in ${to} already.`);
    return;
  }
  const states = await statesOf(plan, options);
  const handOver = await HandOver.begin({ ...options, platformStack: plan.platformStack });
  try {
    const check = (rows: TenantRows) => refuseOthers(rows, plan, options);
    check(handOver.rows);
    refuseStates(plan, states, handOver.rows, options);
    const { inFrom, inTo } = placesOf(states, slug);
    if (inFrom && !inTo) await rehearse(plan, states, options);
    try {
      keep(plan, states, options);
      // From here on the source's runs are refused, and those of neither remove anything of the tenant.
      await handOver.setStack(`${PROJECT}/${to}`, check);
      const urn = `urn:pulumi:${plan.from.stack}::${PROJECT}::tenantry:components:Client::${slug}`;
      const encryption = states.to && encryptionOf(states.to.deployment);
      const backend = { variables: options.variables, onRecovered: say };
      if (inFrom && inTo) await forgetState(plan.from.stack, urn, backend);
      else if (inFrom) await moveState({ from: plan.from.stack, to, urn, encryption }, backend);
      await finish(plan, options);
    } catch (error) {
      const again = `Run move ${slug} --to ${to} again: it goes on from here. The states as they were are in ${keptIn(options)}.`;
      throw new Error(`${failureText(error)}\n${again}`, { cause: error });
    }
  } finally {
    await handOver.end();
  }
}

/** From where on the tenant's state is the target's: files, owners, and whether anything is left to be done. */
async function finish(plan: Plan, options: MoveOptions): Promise<void> {
  const { slug, to, signal, say } = options;
  const { from, file, texts } = plan;
  const runs = new EngineRuns(options);
  writeWhole(file, texts.to);
  const left = await exportState(from.stack, options.variables);
  const isEmptied = !from.isPlatform && isEmpty(texts.from) && !from.hasPartners;
  const hearers = { onRecovered: say, signal };
  const { config, encryption } = readLoosely(to, texts.to);
  await runs.run({ stack: to, operation: "up", config, encryption }, hearers);
  if (isEmptied) {
    // Nothing is left in it but a provider.
    if (left !== undefined) await runs.run({ stack: from.stack, operation: "destroy", config: from.config }, hearers);
    rmSync(from.path, { force: true });
  } else writeWhole(from.path, texts.from);
  await refuseChanges({ ...plan, isEmptied }, options);
  rmSync(journalOf(options), { force: true });
  const files = [file, from.path].map((path) => relative(process.cwd(), path)).join(" and ");
  say(`${slug} is in ${to}${isEmptied ? `, and ${from.stack} is gone` : ""}: commit ${files}.`);
}

/** @returns `undefined` where there is nothing to do @param begunFrom stack that an interrupted run moves it from */
async function planned(options: MoveOptions, begunFrom: string | undefined): Promise<Plan | undefined> {
  const { slug, environment, directory, to } = options;
  const file = join(directory, fileOfStack(to));
  if (stackOfFile(fileOfStack(to)) === undefined) throw new Error(`${JSON.stringify(to)} is no name of a stack.`);
  const declaring = stacksDeclaring(directory, environment, slug);
  const target = existsSync(file) ? readStack(to, file) : undefined;
  const elsewhere = declaring.filter(({ path }) => path !== file);
  const from = elsewhere[0] ?? (begunFrom === undefined ? undefined : begunBy(options, begunFrom));
  if (elsewhere.length > 1) {
    throw new Error(`${slug} is declared by more than one file: ${elsewhere.map(({ path }) => path).join(", ")}.`);
  }
  if (from === undefined) {
    if (target?.slugs.includes(slug)) return undefined;
    throw new Error(
      `No file in ${directory} or ${dirname(directory)} declares ${slug} in ${environment}. A tenant of the dashboard's is adopted first ` +
        `(npm run fleet -- adopt ${slug}); one of another environment is named by --environment.`,
    );
  }
  if (from.stack === to) throw new Error(`${slug} is declared by ${from.path}: --to names another stack.`);
  const platformStack = qualifiedStack(await platformOf(from, options));
  if (target !== undefined) refuseTarget(target, options, platformStack);
  return {
    from,
    file,
    platformStack,
    texts: { from: withoutClient(from.text, slug), to: targetText(options, from, target, platformStack) },
  };
}

/** The platform that the source's tenants are at; of several that its file names the one that the state of either stack tells. */
async function platformOf(from: DeclaringStack, { slug, to, variables }: MoveOptions): Promise<string> {
  if (from.isPlatform) return from.stack;
  const [only = "", another] = from.platformStacks;
  if (another === undefined) return only;
  for (const stack of [from.stack, to]) {
    const found = platformStackOf(await exportState(stack, variables));
    if (found !== undefined) return found;
  }
  throw new Error(`${slug} is not deployed: npm run fleet -- up ${from.stack} first.`);
}

function targetText(
  { slug, environment }: MoveOptions,
  from: DeclaringStack,
  target: DeclaringStack | undefined,
  platformStack: string,
): string {
  if (target?.slugs.includes(slug)) return target.text;
  const entry = entryOf(from.text, slug);
  if (entry === undefined)
    throw new Error(`${from.path} declares ${slug} in no form that can be moved: write its entry as one of a list.`);
  const kept = "tenantry:backupBeforeRedeploy";
  const more = kept in from.config ? { [kept]: from.config[kept] } : {};
  const empty = () => stackFileText({ encryption: {}, environment, platformStack, more, clients: [] });
  return withClient(target?.text ?? empty(), entry);
}

function refuseTarget(target: DeclaringStack, { environment, slug }: MoveOptions, platformStack: string): void {
  const { path } = target;
  if (target.isPlatform) throw new Error(`${path} declares a platform: tenants are moved to stacks of tenants alone.`);
  if (target.managedBy !== "git")
    throw new Error(`${path} is not of Git's: a tenant of the dashboard's has a stack of its own.`);
  if (target.environment !== environment) {
    throw new Error(`${path} is of ${target.environment}, and ${slug} of ${environment}: choose another stack.`);
  }
  if (!target.platformStacks.some((name) => isSameStack(name, platformStack))) {
    throw new Error(
      `${path} has tenants of the platform ${target.platformStacks.join(" or ")}, and ${slug} is one of ${platformStack}.`,
    );
  }
}

/** What keeps a tenant's rows from being moved between the two. */
function refuseOthers({ slug, managedBy, owner }: TenantRows, { from }: Plan, { to }: MoveOptions): void {
  if (managedBy !== "git") {
    throw new Error(`The dashboard manages ${slug}: npm run fleet -- adopt ${slug} first.`);
  }
  const own = owner === null ? undefined : stackOf(owner)?.split("/").at(-1);
  if (own !== from.stack && own !== to) {
    throw new Error(
      `${slug} was not deployed by ${from.stack}, but by ${own ?? "no stack"}: npm run fleet -- up ${from.stack} first.`,
    );
  }
}

/** @throws Error where the tenant is deployed in neither stack, or in both, but for a move that was interrupted */
function refuseStates({ from, file }: Plan, states: States, { owner }: TenantRows, { slug, to }: MoveOptions): void {
  const { inFrom, inTo } = placesOf(states, slug);
  const isBegun = owner !== null && stackOf(owner) === `${PROJECT}/${to}`;
  if (!inFrom && !inTo) throw new Error(`${slug} is not deployed: npm run fleet -- up ${from.stack} first.`);
  if (inTo && !isBegun)
    throw new Error(
      `The stack ${to} has a tenant ${slug} already, and ${from.stack} owns it: recover one of the two first.`,
    );
  if (isDashboards(states.to) && !inTo) throw new Error(`${to} is a stack of the dashboard's: choose another.`);
  const strangers = [...deployedTenants(states.to).keys()].filter((other) => other !== slug);
  if (strangers.length > 0 && !existsSync(file)) {
    throw new Error(`There is a stack ${to} with ${strangers.join(", ")}, and no ${file}: have the file back first.`);
  }
}

function placesOf({ from, to }: States, slug: string): { inFrom: boolean; inTo: boolean } {
  return { inFrom: deployedTenants(from).has(slug), inTo: deployedTenants(to).has(slug) };
}

async function statesOf({ from }: Plan, { to, variables }: MoveOptions): Promise<States> {
  const [source, target] = await Promise.all([exportState(from.stack, variables), exportState(to, variables)]);
  return { from: source, to: target };
}

/** Does it on copies, where neither stack may have anything to change but whose the tenant is. */
async function rehearse(plan: Plan, states: States, options: MoveOptions): Promise<void> {
  const { slug, to } = options;
  const { from, texts } = plan;
  if (states.from === undefined) return;
  const rehearsal = new Rehearsal(options);
  try {
    rehearsal.hold(from.stack, states.from);
    if (states.to !== undefined) rehearsal.hold(to, states.to);
    const urn = `urn:pulumi:${from.stack}::${PROJECT}::tenantry:components:Client::${slug}`;
    const encryption = states.to && encryptionOf(states.to.deployment);
    await moveState(
      { from: from.stack, to, urn, encryption },
      { variables: rehearsal.variables, onRecovered: options.say },
    );
    const target = await rehearsal.preview(to, readLoosely(to, texts.to).config, { [TAKE_OVER_VARIABLE]: slug });
    refuseAny(to, losses(target, { updates: "owners" }), plan);
    await previewSource(rehearsal, plan, options);
  } finally {
    rehearsal.close();
  }
}

/** Whether the two stacks, as they are now, are what their files say. */
async function refuseChanges(plan: Plan & { isEmptied: boolean }, options: MoveOptions): Promise<void> {
  const { to } = options;
  const { from, texts } = plan;
  const states = await statesOf(plan, options);
  const rehearsal = new Rehearsal(options);
  try {
    if (states.from !== undefined) rehearsal.hold(from.stack, states.from);
    if (states.to !== undefined) rehearsal.hold(to, states.to);
    const target = await rehearsal.preview(to, readLoosely(to, texts.to).config);
    refuseAny(to, losses(target, { updates: "none" }), plan);
    if (!plan.isEmptied) await previewSource(rehearsal, plan, options);
  } finally {
    rehearsal.close();
  }
}

async function previewSource(
  rehearsal: Rehearsal,
  plan: Plan,
  { environment, platformVariables }: MoveOptions,
): Promise<void> {
  const { from, texts } = plan;
  const variables = from.isPlatform ? platformVariables(environment) : {};
  const changes = await rehearsal.preview(from.stack, readLoosely(from.stack, texts.from).config, variables);
  refuseAny(from.stack, losses(changes, { updates: "none" }), plan);
}

function refuseAny(stack: string, changes: readonly string[], { from }: Plan): void {
  if (changes.length === 0) return;
  throw new Error(
    `The stack ${stack} would have changes: ${changes.join("; ")}. Bring ${from.stack} and the target to what their files say first.`,
  );
}

/** Whether a file declares no clients any more. */
function isEmpty(text: string): boolean {
  const { config } = readLoosely("", text);
  const clients = config["tenantry:clients"];
  return !Array.isArray(clients) || clients.length === 0;
}

const keptIn = ({ directory }: Pick<MoveOptions, "directory">): string => join(dirname(directory), ".fleet");
const journalOf = (options: MoveOptions): string =>
  join(keptIn(options), `move-${options.environment}-${options.slug}.json`);

const journal = z.object({ from: z.string(), path: z.string(), text: z.string(), to: z.string() });

/** What a run that was killed had begun. */
function readJournal(options: MoveOptions): z.infer<typeof journal> | undefined {
  const file = journalOf(options);
  return existsSync(file) ? journal.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}

/** The source of an interrupted move whose file does not declare the tenant any more, or is gone. */
function begunBy(options: MoveOptions, stack: string): DeclaringStack | undefined {
  const begun = readJournal(options);
  if (begun === undefined) return undefined;
  if (existsSync(begun.path)) return readStack(stack, begun.path);
  writeFileSync(begun.path, begun.text);
  return readStack(stack, begun.path);
}

/** Keeps both states as they were, and what is being done. */
function keep({ from }: Plan, states: States, options: MoveOptions): void {
  const place = keptIn(options);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString().replaceAll(/[:.]/g, "-");
  for (const [stack, state] of [
    [from.stack, states.from],
    [options.to, states.to],
  ] as const) {
    if (state !== undefined) writeFileSync(join(place, `${stack}-${at}.json`), JSON.stringify(state), { mode: 0o600 });
  }
  if (readJournal(options) !== undefined) return;
  const entry = { from: from.stack, path: from.path, text: from.text, to: options.to };
  writeWhole(journalOf(options), JSON.stringify(entry));
}
