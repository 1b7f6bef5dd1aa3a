/** Deploys a stack to the local edge through the Automation API. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace, type LocalWorkspaceOptions, Stack } from "@pulumi/pulumi/automation/index.js";
import { openKnownStack } from "@tenantry/automation-api";
import * as z from "zod";
import { PROJECT } from "#automation/engine/project-name.ts";
import { type UpdateOptions, updateStack } from "#automation/engine/run/update.ts";
import { forgetPendingCreates, hasPendingOperations } from "#automation/engine/state/recovery.ts";
import { repairState } from "#automation/engine/state/torn-state.ts";
import stackProgram from "#index.ts";
import type { EngineTarget } from "../engine-target.ts";
import { pruneHistory } from "../state/engine-history.ts";
import { type Deployment, deployment } from "./deployer/messages.ts";
import { declaredEnvironment, engineEnvironment, prepareProject, programEnvironment } from "./project.ts";

interface StackPlace {
  directory: string;
  name: string;
}

export interface DeploymentOptions extends StackPlace {
  target: EngineTarget;
  providersPort: number;
  settings: string;
  vendorPlugins?: boolean;
}

export function workspaceOptions(options: DeploymentOptions) {
  const { directory, target, name, settings, providersPort, vendorPlugins = false } = options;
  const environment = declaredEnvironment(settings);
  return {
    program: () => stackProgram(programEnvironment(target, environment)),
    workDir: prepareProject(directory, name, settings, vendorPlugins, target.containerImage),
    envVars: engineEnvironment(directory, target, environment, providersPort, vendorPlugins),
  } satisfies LocalWorkspaceOptions;
}

const stateFile = ({ directory, name }: StackPlace): string =>
  join(directory, "pulumi/.pulumi/stacks", PROJECT, `${name}.json`);

export async function openStack(place: StackPlace, options: LocalWorkspaceOptions): Promise<Stack> {
  const workspace = await LocalWorkspace.create(options);
  return existsSync(stateFile(place)) ? openKnownStack(place.name, workspace) : Stack.create(place.name, workspace);
}

export async function selectStack(options: DeploymentOptions): Promise<Stack> {
  pruneHistory(join(options.directory, "pulumi"));
  repairState(stateFile(options));
  const stack = await openStack(options, workspaceOptions(options));
  await recoverStack(stack, options.directory);
  return stack;
}

/** Only this edge uses the state directory, so a lock belongs to a killed run. */
async function recoverStack(stack: Stack, directory: string): Promise<void> {
  const locks = join(directory, "pulumi/.pulumi/locks/organization", PROJECT, stack.name);
  if (existsSync(locks) && readdirSync(locks).length > 0) await stack.cancel();
  if (hasPendingOperations((await stack.exportStack()).deployment)) await forgetPendingCreates(stack);
}

/** Updates the stack. @returns its outputs @throws as `update` does */
export async function deployStack(stack: Stack, options: UpdateOptions = {}): Promise<Deployment> {
  await updateStack(stack, options);
  return currentOutputs(stack);
}

const exportedSecret = z.object({ plaintext: z.string() });

/** Returns the outputs with secrets by one call of the engine; `stack.outputs()` takes two. */
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
