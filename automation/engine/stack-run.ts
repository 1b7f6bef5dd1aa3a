/** One run of the engine on a stack of tenants: found or made, freed of what a killed run left, and then as it was ordered. */
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import {
  ConcurrentUpdateError,
  LocalWorkspace,
  type Stack,
  StackNotFoundError,
} from "@pulumi/pulumi/automation/index.js";
import * as z from "zod";
import type { StackOrder } from "./order.ts";
import { RunProject } from "./project.ts";
import { PROJECT } from "./project-name.ts";
import { forgetPendingCreates, hasPendingOperations, isDead, lockHolders, repairTorn } from "./recovery.ts";
import { type Step, stepListener } from "./steps.ts";

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
  /** Hears what was taken back of a run that was killed. */
  onRecovered: (what: string) => void;
  signal: AbortSignal;
}

const state = z.object({ resources: z.array(z.object({ type: z.string() })).nullish() });

/** @throws StackLocked, CommandError of the engine, or the signal's reason */
export async function runStack(order: StackOrder, options: RunOptions): Promise<void> {
  const { stack: name, deadHosts, operation } = order;
  const project = new RunProject(name, order.config);
  try {
    repairTorn(options.variables.PULUMI_BACKEND_URL ?? "", name, deadHosts);
    const stack = await openStack(order, options, project.directory);
    if (stack === undefined) return;
    const { deployment } = await stack.exportStack();
    project.encryptedLike(deployment);
    const held = (state.parse(deployment).resources ?? []).map(({ type }) => type);
    const total = held.length || order.expected;
    stack.workspace.program = () => options.program(new Set(held));
    await unlocked(stack, order, options, async () => {
      options.signal.throwIfAborted();
      if (hasPendingOperations((await stack.exportStack()).deployment)) {
        await forgetPendingCreates(stack);
        options.onRecovered("What an earlier run had begun and not finished was looked up.");
      }
      options.signal.throwIfAborted();
      const run = { signal: options.signal, suppressOutputs: true, onEvent: stepListener(total, options.onStep) };
      await (operation === "up" ? stack.up(run) : stack.destroy({ ...run, remove: true }));
    });
  } finally {
    project.remove();
  }
}

/** @returns `undefined` where all is gone already that is to go */
async function openStack(
  { stack: stackName, operation }: StackOrder,
  { variables }: RunOptions,
  workDir: string,
): Promise<Stack | undefined> {
  // It has one when it is known what the stack holds.
  const declared = { stackName, projectName: PROJECT, program: async () => ({}) };
  const envVars = Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, value ?? ""]));
  const secretsProvider = variables.SECRETS_PROVIDER;
  const workspace = { workDir, envVars, ...(secretsProvider && { secretsProvider }) };
  if (operation === "up") return LocalWorkspace.createOrSelectStack(declared, workspace);
  try {
    return await LocalWorkspace.selectStack(declared, workspace);
  } catch (error) {
    if (error instanceof StackNotFoundError) return undefined;
    throw error;
  }
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
    if (holders.length === 0 || !holders.every((holder) => isDead(holder, order.deadHosts))) {
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
