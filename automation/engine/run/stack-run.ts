import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { ConcurrentUpdateError, type EngineEvent, LocalWorkspace, Stack } from "@pulumi/pulumi/automation/index.js";
import { commandWithoutVersion, openKnownStack, quickStack } from "@tenantry/automation-api";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { engineRunErrors } from "#domain/errors/service/engine-runs.ts";
import type { StackOrder } from "../order.ts";
import { refuseOtherPlatform } from "../platform-stacks.ts";
import { RunProject } from "../project.ts";
import { repeatableCreates } from "../state/pending-creates.ts";
import {
  accountClient,
  areDead,
  forgetPendingCreates,
  hasPendingOperations,
  lockHolders,
  repairTorn,
} from "../state/recovery.ts";
import { exportState } from "../state/scratch-backend.ts";
import { keepState } from "../state/state-copy.ts";
import { engineFault } from "./fault.ts";
import { settleLostAnswers } from "./lost-answers.ts";
import { changeListener, type ResourceChange } from "./resource-change.ts";
import { nameOf } from "./resource-names.ts";
import { type Step, stepListener } from "./steps.ts";

/** Expected number of resources of a new tenant. */
const USUAL_RESOURCES = 24;
/** Time for a run on another host to end. */
const OTHERS_END_MS = 30_000;

export class StackLocked extends CatalogueError<typeof engineRunErrors.stack_locked> {
  override name = "StackLocked";
}

export interface RunOptions {
  program: (held: ReadonlySet<string>) => Promise<object>;
  variables: Readonly<Record<string, string | undefined>>;
  onStep: (step: Step) => void;
  onChange: (change: ResourceChange) => void;
  onRecovered: (what: string) => void;
  signal: AbortSignal;
}

/** Carries out an order, after recovery from a killed run. @throws StackLocked, CommandError or the signal's reason */
export async function runStack(order: StackOrder, options: RunOptions): Promise<void> {
  const { stack: name, encryption = {}, operation } = order;
  const project = new RunProject(name, order.config, encryption);
  try {
    repairTorn(options.variables.PULUMI_BACKEND_URL ?? "", name, order);
    const isPreview = operation === "preview" || operation === "preview-destroy" || operation === "drift";
    const state = isPreview ? undefined : await exportState(name, options.variables, options.signal);
    if (!isPreview && state === undefined && operation === "destroy") return;
    refuseOtherPlatform(name, state, order.config);
    const stack = await openStack(order, options, project.directory, isPreview || state !== undefined);
    const declare = (held: readonly string[]) => {
      stack.workspace.program = () => options.program(new Set(held));
    };
    declare([]);
    if (isPreview) {
      await previewStack(stack, operation, options);
      return;
    }
    const deployment = state?.deployment ?? {};
    if (Object.keys(encryption).length === 0) project.encryptedLike(deployment);
    const held = (state?.deployment.resources ?? []).map(({ type }) => type);
    const total = held.length || USUAL_RESOURCES;
    declare(held);
    // Undefined once the stack may have changed.
    let known: unknown = deployment;
    await withoutStaleLocks(stack, order, options, async () => {
      options.signal.throwIfAborted();
      keepState(options.variables.PULUMI_BACKEND_URL ?? "", name);
      if (operation === "recover") {
        reportRemoved(await forgetPendingCreates(stack), options);
        return;
      }
      const now = known ?? (await stack.exportStack()).deployment;
      known = undefined;
      if (hasPendingOperations(now)) {
        const removed = await forgetPendingCreates(stack);
        options.onRecovered("Checked the pending operations of an earlier run.");
        reportRemoved(removed, options);
        if (operation === "destroy") await recordCreates(stack, repeatableCreates(now), options);
      }
      options.signal.throwIfAborted();
      const listeners = [stepListener(total, options.onStep), changeListener("begun", options.onChange)];
      const settling = { ...options, account: () => accountClient(stack) };
      await settleLostAnswers(stack, settling, (onFailed) => {
        const onEvent = (event: EngineEvent) => {
          for (const listener of [...listeners, onFailed]) listener(event);
        };
        const how = { signal: options.signal, suppressOutputs: true, onEvent };
        return operation === "up" ? stack.up(how) : stack.destroy({ ...how, remove: true });
      });
    });
  } finally {
    project.remove();
  }
}

/** Repeats creates of a killed run, so that the deletion finds what they created. */
async function recordCreates(stack: Stack, target: string[], { signal, onRecovered }: RunOptions): Promise<void> {
  if (target.length === 0) return;
  try {
    await stack.up({ target, signal, suppressOutputs: true });
  } catch (error) {
    if (signal.aborted || error instanceof ConcurrentUpdateError) throw error;
    const names = target.map(nameOf).join(", ");
    onRecovered(
      `Failed to check what an earlier run created: ${names}. Run the doctor after the deletion. ${engineFault(error)}`,
    );
  }
}

function reportRemoved(removed: readonly string[], { onRecovered }: RunOptions): void {
  if (removed.length > 0) onRecovered(`Removed resources that it had not recorded: ${removed.join(", ")}.`);
}

async function previewStack(
  stack: Stack,
  operation: "preview" | "preview-destroy" | "drift",
  { onChange, signal }: RunOptions,
): Promise<void> {
  const onEvent = changeListener(operation === "drift" ? "done" : "begun", onChange);
  const run = { signal, suppressOutputs: true, onEvent };
  if (operation === "preview") await stack.preview(run);
  else if (operation === "preview-destroy") await stack.previewDestroy(run);
  else await stack.previewRefresh(run);
}

/** @param exists whether the stack exists; `up` creates a missing stack, others fail */
async function openStack(
  { stack: name, operation, engineVersion }: StackOrder,
  { variables }: RunOptions,
  workDir: string,
  exists: boolean,
): Promise<Stack> {
  const given = Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, value ?? ""]));
  // An operator's setting contradicts the engine's option --preview-only.
  const envVars = { ...given, PULUMI_SKIP_CONFIRMATIONS: "" };
  const secretsProvider = variables.SECRETS_PROVIDER;
  const workspace = await LocalWorkspace.create({
    workDir,
    envVars,
    // Replaced when the stack's resources are known.
    program: async () => ({}),
    ...(secretsProvider && { secretsProvider }),
    ...(engineVersion !== undefined && { pulumiCommand: commandWithoutVersion() }),
  });
  if (engineVersion !== undefined) Object.defineProperty(workspace, "pulumiVersion", { value: engineVersion });
  if (!exists && operation === "up") return quickStack(await Stack.create(name, workspace));
  return quickStack(exists ? await openKnownStack(name, workspace) : await Stack.select(name, workspace));
}

/** @returns false if the stack is locked */
async function isFree(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ConcurrentUpdateError) return false;
    throw error;
  }
}

/** Runs `work`, and again if only killed runs had locked the stack. */
async function withoutStaleLocks(
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
      const values = { stack: order.stack, holders: who.length > 0 ? `: ${who.join(", ")}` : "" };
      throw new StackLocked(engineRunErrors.stack_locked, values);
    }
    // A host without a network connection ends its run and releases the lock by itself.
    if (holders.some(({ hostname: host }) => host !== hostname())) {
      await pause(OTHERS_END_MS, undefined, { signal: options.signal });
      if (await isFree(work)) return;
    }
    await stack.cancel();
    options.onRecovered("Removed the lock of a killed run.");
    await work();
  }
}
