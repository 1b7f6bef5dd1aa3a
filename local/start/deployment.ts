/** Runs `pulumi up` of a stack against the local edge through the Automation API. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type EngineEvent,
  type InlineProgramArgs,
  LocalWorkspace,
  type LocalWorkspaceOptions,
  type OpMap,
  type Stack,
} from "@pulumi/pulumi/automation/index.js";
import * as z from "zod";
import stackProgram from "../../index.ts";
import type { EngineTarget } from "../engine-target.ts";
import { pruneHistory } from "../state/engine-history.ts";
import { repairState } from "../state/torn-state.ts";
import { type Deployment, deployment, type Progress } from "./deployer/messages.ts";
import { isSlotTaken } from "./engine-fault.ts";
import { declaredEnvironment, engineEnvironment, prepareProject, programEnvironment } from "./project.ts";

const PROJECT = "tenantry";

export interface DeploymentOptions {
  /** State directory of the edge. */
  directory: string;
  target: EngineTarget;
  /** Port of the providers that serve the runs. */
  providersPort: number;
  /** Name of the stack. */
  name: string;
  /** File of its settings. */
  settings: string;
  vendorPlugins?: boolean;
}

/** The stack as the Automation API takes it, with its project laid out: what is run, and where and with which variables. */
export function stackArguments(options: DeploymentOptions): [InlineProgramArgs, LocalWorkspaceOptions] {
  const { directory, target, name, settings, providersPort, vendorPlugins = false } = options;
  const environment = declaredEnvironment(settings);
  return [
    { stackName: name, projectName: PROJECT, program: () => stackProgram(programEnvironment(target, environment)) },
    {
      workDir: prepareProject(directory, name, settings, vendorPlugins, target.containerImage),
      envVars: engineEnvironment(directory, target, environment, providersPort, vendorPlugins),
    },
  ];
}

/** Selects the stack, or makes it; a run that was killed earlier is recovered first. */
export async function selectStack(options: DeploymentOptions): Promise<Stack> {
  const { directory, name } = options;
  pruneHistory(join(directory, "pulumi"));
  repairState(join(directory, "pulumi/.pulumi/stacks", PROJECT, `${name}.json`));
  const stack = await LocalWorkspace.createOrSelectStack(...stackArguments(options));
  await recover(stack, directory);
  return stack;
}

/**
 * A killed run leaves its lock, and creates that nobody saw the end of. Creates adopt by name, so that forgetting them and
 * running again makes nothing twice.
 */
async function recover(stack: Stack, directory: string): Promise<void> {
  const locks = join(directory, "pulumi/.pulumi/locks/organization", PROJECT, stack.name);
  if (existsSync(locks) && readdirSync(locks).length > 0) await stack.cancel();
  const { deployment } = await stack.exportStack();
  const pending: unknown = deployment?.pending_operations;
  if (Array.isArray(pending) && pending.length > 0) await stack.refresh({ clearPendingCreates: true });
}

export interface DeployOptions {
  /** Hears, before anything is changed, how many resources will be; never called when nothing is to be done. */
  onPlan?: (total: number) => void;
  /** Hears of every resource that is being changed. */
  onProgress?: (progress: Progress) => void;
  /** Ends the run gracefully: what is under way is finished and saved, nothing more is begun. */
  signal?: AbortSignal;
}

/** Runs of which each lost a pool gateway's slot to somebody else. */
const MOST_RUNS = 3;

/**
 * Brings the stack up to date; a run that lost a pool gateway's slot to somebody else is planned anew.
 *
 * @throws CommandError of the engine; the signal's reason when it ended the run between two steps
 */
export async function deploy(stack: Stack, options: DeployOptions = {}): Promise<Deployment> {
  for (let run = 1; ; run += 1) {
    try {
      return await runOnce(stack, options);
    } catch (error) {
      if (run === MOST_RUNS || !isSlotTaken(error)) throw error;
    }
  }
}

async function runOnce(stack: Stack, options: DeployOptions): Promise<Deployment> {
  const { onPlan, onProgress, signal } = options;
  signal?.throwIfAborted();
  const abort = signal === undefined ? {} : { signal };
  let outputsChange = false;
  const { changeSummary } = await stack.preview({
    ...abort,
    onEvent: (event) => {
      outputsChange ||= changesOutputs(event);
    },
  });
  const total = changes(changeSummary);
  if (total === 0 && !outputsChange) return currentOutputs(stack);
  signal?.throwIfAborted();
  onPlan?.(total);
  let done = 0;
  await stack.up({
    ...abort,
    suppressOutputs: true,
    onEvent: (event: EngineEvent) => {
      const metadata = event.resOutputsEvent?.metadata;
      if (metadata === undefined || metadata.op === "same" || metadata.op === "read") return;
      done += 1;
      onProgress?.({
        done: Math.min(done, total),
        total,
        type: metadata.type.split(":").at(-1) ?? metadata.type,
        name: metadata.urn.split("::").at(-1) ?? metadata.urn,
        operation: metadata.op,
      });
    },
  });
  return currentOutputs(stack);
}

/** A secret of an exported state, which the engine writes as JSON in JSON. */
const exportedSecret = z.object({ plaintext: z.string() });

/** The outputs as the state holds them, secrets too: one call of the engine where `stack.outputs()` takes two. */
async function currentOutputs(stack: Stack): Promise<Deployment> {
  const { deployment: exported } = await stack.exportStack();
  const resources: { type: string; outputs?: Record<string, unknown> }[] = exported?.resources ?? [];
  const outputs = Object.entries(resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {});
  return deployment.parse(
    Object.fromEntries(
      outputs.map(([name, value]) => {
        const { data } = exportedSecret.safeParse(value);
        return [name, data === undefined ? value : JSON.parse(data.plaintext)];
      }),
    ),
  );
}

/** Whether the stack's own outputs change, which counts as no change of a resource. */
function changesOutputs({ resOutputsEvent }: EngineEvent): boolean {
  const metadata = resOutputsEvent?.metadata;
  if (metadata?.type !== "pulumi:pulumi:Stack") return false;
  return !isDeepStrictEqual(metadata.old?.outputs, metadata.new?.outputs);
}

function changes(summary: OpMap): number {
  return Object.entries(summary).reduce(
    (sum, [operation, count]) => sum + (operation === "same" || operation === "read" ? 0 : count),
    0,
  );
}
