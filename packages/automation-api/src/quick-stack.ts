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

/** The engine's command line, asked for its version once and not for each stack. @param root default: the one on the `PATH` */
export function pulumiCommand(root?: string): Promise<PulumiCommand> {
  const key = root ?? "";
  const command = commands.get(key) ?? PulumiCommand.get(root === undefined ? {} : { root });
  commands.set(key, command);
  return command;
}

/** The engine's command line on the `PATH`, for who knows its version and need not ask. */
export function knownCommand(): PulumiCommand {
  // The SDK makes one by asking alone.
  return Object.assign(Object.create(PulumiCommand.prototype), { command: "pulumi", version: null });
}

/** Opens a stack that is there. Each command names its stack, so that none needs to be selected. */
export function knownStack(name: string, workspace: LocalWorkspace): Promise<Stack> {
  workspace.selectStack = async () => {};
  return Stack.select(name, workspace);
}

interface RunOptions {
  onEvent?: (event: EngineEvent) => void;
}

/**
 * The same stack, without the calls of the command line by which each run is followed: what changed is known from the run itself,
 * and a run's result has no outputs. `outputs()` reads them.
 */
export function quickStack(stack: Stack): Stack {
  let changes: OpMap = {};
  const silent: Stack = Object.create(stack, {
    outputs: { value: async () => ({}) },
    info: { value: async () => ({ resourceChanges: changes }) },
  });
  const heard = <O extends RunOptions>(options?: O) => {
    changes = {};
    const onEvent = (event: EngineEvent): void => {
      if (event.summaryEvent !== undefined) changes = event.summaryEvent.resourceChanges;
      options?.onEvent?.(event);
    };
    return { ...options, onEvent };
  };
  const { up, refresh, destroy } = Stack.prototype;
  return Object.assign(stack, {
    up: (options?: Parameters<Stack["up"]>[0]) => up.call(silent, heard(options)),
    refresh: (options?: Parameters<Stack["refresh"]>[0]) => refresh.call(silent, heard(options)),
    destroy: (options?: Parameters<Stack["destroy"]>[0]) => destroy.call(silent, heard(options)),
  });
}
