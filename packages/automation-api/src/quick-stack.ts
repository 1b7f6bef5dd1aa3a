import "./lean-sdk.ts";
import "./own-connections.ts";
import {
  type EngineEvent,
  type LocalWorkspace,
  type OpMap,
  PulumiCommand,
  Stack,
} from "@pulumi/pulumi/automation/index.js";

const commands = new Map<string, Promise<PulumiCommand>>();

/** Returns the Pulumi CLI. Reads its version once, not for each stack. @param root default: the one on the `PATH` */
export function pulumiCommand(root?: string): Promise<PulumiCommand> {
  const key = root ?? "";
  const command = commands.get(key) ?? PulumiCommand.get(root === undefined ? {} : { root });
  commands.set(key, command);
  return command;
}

/** Returns the Pulumi CLI on the `PATH` without reading its version. */
export function commandWithoutVersion(): PulumiCommand {
  // The SDK's own factory always reads the version.
  return Object.assign(Object.create(PulumiCommand.prototype), { command: "pulumi", version: null });
}

/** Opens a stack that exists. Each command names its stack, so it need not be selected. */
export function openKnownStack(name: string, workspace: LocalWorkspace): Promise<Stack> {
  workspace.selectStack = async () => {};
  return Stack.select(name, workspace);
}

/**
 * Changes a stack so that its runs do without the CLI calls that the SDK adds to each: the summary of changes comes from the run's events,
 * and the result has no outputs. Read them by `outputs()`.
 */
export function quickStack(stack: Stack): Stack {
  let changes: OpMap = {};
  const withoutQueries: Stack = Object.create(stack, {
    outputs: { value: async () => ({}) },
    info: { value: async () => ({ resourceChanges: changes }) },
  });
  const recordChanges = <O extends { onEvent?: (event: EngineEvent) => void }>(options?: O) => {
    changes = {};
    const onEvent = (event: EngineEvent): void => {
      if (event.summaryEvent !== undefined) changes = event.summaryEvent.resourceChanges;
      options?.onEvent?.(event);
    };
    return { ...options, onEvent };
  };
  const { up, refresh, destroy } = Stack.prototype;
  return Object.assign(stack, {
    up: (options?: Parameters<Stack["up"]>[0]) => up.call(withoutQueries, recordChanges(options)),
    refresh: (options?: Parameters<Stack["refresh"]>[0]) => refresh.call(withoutQueries, recordChanges(options)),
    destroy: (options?: Parameters<Stack["destroy"]>[0]) => destroy.call(withoutQueries, recordChanges(options)),
  });
}
