/** One run of the engine on a stack of tenants: found or made, freed of what a killed run left, and then as it was ordered. */
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { ConcurrentUpdateError, type EngineEvent, LocalWorkspace, Stack } from "@pulumi/pulumi/automation/index.js";
import { knownCommand, knownStack, quickStack } from "@tenantry/automation-api";
import type { StackOrder } from "../order.ts";
import { refuseOtherPlatform } from "../platform-stacks.ts";
import { RunProject } from "../project.ts";
import { keepState } from "../state/kept-state.ts";
import { areDead, forgetPendingCreates, hasPendingOperations, lockHolders, repairTorn } from "../state/recovery.ts";
import { exportState } from "../state/scratch-backend.ts";
import { changeListener, type ResourceChange } from "./resource-change.ts";
import { type Step, stepListener } from "./steps.ts";

/** Resources of a tenant's stack, about: until it is made nobody knows. */
const USUAL_RESOURCES = 24;
/** How long a run on another host may take to end. */
const OTHERS_END_MS = 30_000;

/** Somebody else's run has the stack. */
export class StackLocked extends Error {
  override name = "StackLocked";
}

export interface RunOptions {
  /** The stack's program. @param held types of the resources that the stack has already */
  program: (held: ReadonlySet<string>) => Promise<object>;
  /** Of the engine, beside those of the process: where states are and how they are entered. */
  variables: Readonly<Record<string, string | undefined>>;
  onStep: (step: Step) => void;
  /** Hears of every resource, unchanged ones too. */
  onChange: (change: ResourceChange) => void;
  /** Hears what was taken back of a run that was killed. */
  onRecovered: (what: string) => void;
  signal: AbortSignal;
}

/** @throws StackLocked, CommandError of the engine, or the signal's reason */
export async function runStack(order: StackOrder, options: RunOptions): Promise<void> {
  const { stack: name, encryption = {}, operation } = order;
  const project = new RunProject(name, order.config, encryption);
  try {
    repairTorn(options.variables.PULUMI_BACKEND_URL ?? "", name, order);
    const looks = operation === "preview" || operation === "preview-destroy" || operation === "drift";
    const state = looks ? undefined : await exportState(name, options.variables, options.signal);
    if (!looks && state === undefined && operation === "destroy") return;
    refuseOtherPlatform(name, state, order.config);
    const stack = await openStack(order, options, project.directory, looks || state !== undefined);
    const declare = (held: readonly string[]) => {
      stack.workspace.program = () => options.program(new Set(held));
    };
    declare([]);
    if (looks) {
      await look(stack, operation, options);
      return;
    }
    const deployment = state?.deployment ?? {};
    if (Object.keys(encryption).length === 0) project.encryptedLike(deployment);
    const held = (state?.deployment.resources ?? []).map(({ type }) => type);
    const total = held.length || USUAL_RESOURCES;
    declare(held);
    // As it was read, until something has been done to it.
    let known: unknown = deployment;
    await unlocked(stack, order, options, async () => {
      options.signal.throwIfAborted();
      keepState(options.variables.PULUMI_BACKEND_URL ?? "", name);
      if (operation === "recover") {
        // A lock shows itself to whoever needs it.
        tellRemoved(await forgetPendingCreates(stack), options);
        return;
      }
      const now = known ?? (await stack.exportStack()).deployment;
      known = undefined;
      if (hasPendingOperations(now)) {
        const removed = await forgetPendingCreates(stack);
        options.onRecovered("What an earlier run had begun and not finished was looked up.");
        tellRemoved(removed, options);
      }
      options.signal.throwIfAborted();
      const listeners = [stepListener(total, options.onStep), changeListener("begun", options.onChange)];
      const onEvent = (event: EngineEvent) => {
        for (const listener of listeners) listener(event);
      };
      const how = { signal: options.signal, suppressOutputs: true, onEvent };
      await (operation === "up" ? stack.up(how) : stack.destroy({ ...how, remove: true }));
    });
  } finally {
    project.remove();
  }
}

function tellRemoved(removed: readonly string[], { onRecovered }: RunOptions): void {
  if (removed.length > 0) onRecovered(`What it had made and not recorded was removed: ${removed.join(", ")}.`);
}

/** Tells what would change, and changes nothing. */
async function look(
  stack: Stack,
  operation: "preview" | "preview-destroy" | "drift",
  { onChange, signal }: RunOptions,
): Promise<void> {
  const heard = changeListener(operation === "drift" ? "done" : "begun", onChange);
  const run = { signal, suppressOutputs: true, onEvent: heard };
  if (operation === "preview") await stack.preview(run);
  else if (operation === "preview-destroy") await stack.previewDestroy(run);
  else await stack.previewRefresh(run);
}

/** @param isThere whether there is such a stack; one that is not there is made for `up`, and is an error otherwise */
async function openStack(
  { stack: name, operation, engineVersion }: StackOrder,
  { variables }: RunOptions,
  workDir: string,
  isThere: boolean,
): Promise<Stack> {
  const envVars = Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, value ?? ""]));
  const secretsProvider = variables.SECRETS_PROVIDER;
  const workspace = await LocalWorkspace.create({
    workDir,
    envVars,
    // It has the stack's when it is known what the stack holds.
    program: async () => ({}),
    ...(secretsProvider && { secretsProvider }),
    ...(engineVersion !== undefined && { pulumiCommand: knownCommand() }),
  });
  if (engineVersion !== undefined) Object.defineProperty(workspace, "pulumiVersion", { value: engineVersion });
  if (!isThere && operation === "up") return quickStack(await Stack.create(name, workspace));
  return quickStack(isThere ? await knownStack(name, workspace) : await Stack.select(name, workspace));
}

/** Does it, unless the stack is locked still. */
async function isFree(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ConcurrentUpdateError) return false;
    throw error;
  }
}

/** Does it once, and once more where killed runs alone had the stack. */
async function unlocked(
  stack: Stack,
  order: StackOrder,
  options: RunOptions,
  work: () => Promise<void>,
): Promise<void> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConcurrentUpdateError)) throw error;
    const holders = lockHolders(error.message);
    if (!areDead(holders, order)) {
      const who = holders.map(({ username, hostname, timestamp }) => `${username} on ${hostname} since ${timestamp}`);
      throw new StackLocked(
        `The stack ${order.stack} is held by another run${who.length > 0 ? `: ${who.join(", ")}` : ""}.`,
      );
    }
    // A host that is only cut off ends its run by itself, and lets go.
    if (holders.some(({ hostname: host }) => host !== hostname())) {
      await pause(OTHERS_END_MS, undefined, { signal: options.signal });
      if (await isFree(work)) return;
    }
    await stack.cancel();
    options.onRecovered("The lock of a run that was killed was removed.");
    await work();
  }
}
