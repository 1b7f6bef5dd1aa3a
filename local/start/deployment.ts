/** Runs `pulumi up` of a stack against the local edge through the Automation API. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace, type LocalWorkspaceOptions, Stack } from "@pulumi/pulumi/automation/index.js";
import { knownStack } from "@tenantry/automation-api";
import * as z from "zod";
import { PROJECT } from "#automation/engine/project-name.ts";
import { type UpdateOptions, update } from "#automation/engine/run/update.ts";
import { forgetPendingCreates, hasPendingOperations } from "#automation/engine/state/recovery.ts";
import { repairState } from "#automation/engine/state/torn-state.ts";
import stackProgram from "#index.ts";
import type { EngineTarget } from "../engine-target.ts";
import { pruneHistory } from "../state/engine-history.ts";
import { type Deployment, deployment } from "./deployer/messages.ts";
import { declaredEnvironment, engineEnvironment, prepareProject, programEnvironment } from "./project.ts";

interface StackPlace {
  /** State directory of the edge. */
  directory: string;
  /** Name of the stack. */
  name: string;
}

export interface DeploymentOptions extends StackPlace {
  target: EngineTarget;
  /** Port of the providers that serve the runs. */
  providersPort: number;
  /** File of its settings. */
  settings: string;
  vendorPlugins?: boolean;
}

/** The stack's program, and where and with which variables it is run; its project is laid out. */
export function workspaceOptions(options: DeploymentOptions) {
  const { directory, target, name, settings, providersPort, vendorPlugins = false } = options;
  const environment = declaredEnvironment(settings);
  return {
    program: () => stackProgram(programEnvironment(target, environment)),
    workDir: prepareProject(directory, name, settings, vendorPlugins, target.containerImage),
    envVars: engineEnvironment(directory, target, environment, providersPort, vendorPlugins),
  } satisfies LocalWorkspaceOptions;
}

/** Where the engine keeps the state of a stack. @param directory of the edge */
const stateFile = ({ directory, name }: StackPlace): string =>
  join(directory, "pulumi/.pulumi/stacks", PROJECT, `${name}.json`);

/** Opens a stack, or makes it where there is none. */
export async function openStack(place: StackPlace, options: LocalWorkspaceOptions): Promise<Stack> {
  const workspace = await LocalWorkspace.create(options);
  return existsSync(stateFile(place)) ? knownStack(place.name, workspace) : Stack.create(place.name, workspace);
}

/** Selects the stack, or makes it; a run that was killed earlier is recovered first. */
export async function selectStack(options: DeploymentOptions): Promise<Stack> {
  pruneHistory(join(options.directory, "pulumi"));
  repairState(stateFile(options));
  const stack = await openStack(options, workspaceOptions(options));
  await recover(stack, options.directory);
  return stack;
}

/** The state directory is this edge's alone: a lock that is there is a killed run's. */
async function recover(stack: Stack, directory: string): Promise<void> {
  const locks = join(directory, "pulumi/.pulumi/locks/organization", PROJECT, stack.name);
  if (existsSync(locks) && readdirSync(locks).length > 0) await stack.cancel();
  if (hasPendingOperations((await stack.exportStack()).deployment)) await forgetPendingCreates(stack);
}

/**
 * Brings the stack up to date.
 *
 * @returns its outputs
 * @throws as `update` does
 */
export async function deploy(stack: Stack, options: UpdateOptions = {}): Promise<Deployment> {
  await update(stack, options);
  return currentOutputs(stack);
}

/** A secret of an exported state, which the engine writes as JSON in JSON. */
const exportedSecret = z.object({ plaintext: z.string() });

/** The outputs as the state holds them, secrets too: one call of the engine where `stack.outputs()` takes two. */
export async function currentOutputs(stack: Stack): Promise<Deployment> {
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
