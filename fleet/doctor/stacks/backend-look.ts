/** The backend's stacks as one look found them. It is whole, or it is none: of a stack that cannot be read nobody knows what it has. */

import type { EngineVariables } from "#automation/engine/command-line.ts";
import { listStacks } from "#automation/engine/state/backend.ts";
import { exportState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { eachAtMost } from "../../runs/bounded.ts";
import { type Platform, platformOf } from "../platform.ts";
import { type StackFacts, stackFacts } from "./stack-facts.ts";

export interface BackendOptions {
  /** Of the engine: where states are and how they are entered. */
  variables: EngineVariables;
  /** Stacks that are read at a time. */
  parallel: number;
  signal: AbortSignal;
}

interface ReadStack {
  resourceCount: number | undefined;
  facts: StackFacts;
  platform: Platform | undefined;
}

export class BackendLook {
  readonly #options: BackendOptions;
  readonly #read: ReadonlyMap<string, ReadStack>;

  private constructor(options: BackendOptions, read: ReadonlyMap<string, ReadStack>) {
    this.#options = options;
    this.#read = read;
  }

  /** @throws Error with what cannot be listed or read */
  static take(options: BackendOptions): Promise<BackendLook> {
    return BackendLook.#take(options, new Map());
  }

  /** Looks again; a stack that was not written meanwhile is not read again. @throws Error likewise */
  again(): Promise<BackendLook> {
    return BackendLook.#take(this.#options, this.#read);
  }

  static async #take(options: BackendOptions, before: ReadonlyMap<string, ReadStack>): Promise<BackendLook> {
    const { variables, parallel, signal } = options;
    const listed = await listStacks(variables);
    const read = await eachAtMost(parallel, listed, async ({ name, lastUpdate, resourceCount }) => {
      signal.throwIfAborted();
      const known = before.get(name);
      // A state that was imported keeps the time at which it was written first.
      const isSame = known?.facts.lastUpdate === lastUpdate && known?.resourceCount === resourceCount;
      if (known !== undefined && lastUpdate !== undefined && isSame) return known;
      const state = await exportState(name, variables).catch((error: unknown) => {
        throw new Error(`the stack ${name} cannot be read: ${(error as Error).message}`, { cause: error });
      });
      // It was destroyed since it was listed.
      if (state === undefined) return undefined;
      return { facts: stackFacts(name, lastUpdate, state), platform: platformOf(name, state), resourceCount };
    });
    return new BackendLook(
      options,
      new Map(read.flatMap((one) => (one === undefined ? [] : [[one.facts.stack, one] as const]))),
    );
  }

  get platforms(): Platform[] {
    return [...this.#read.values()].flatMap(({ platform }) => platform ?? []);
  }

  get stacks(): StackFacts[] {
    return [...this.#read.values()].map(({ facts }) => facts);
  }

  /** The platform's own stack, those that refer to it, and those that are called as its tenants' stacks are. */
  stacksOf({ stack, environment }: Platform): StackFacts[] {
    const name = qualifiedStack(stack);
    return this.stacks.filter(
      (facts) =>
        facts.stack === stack ||
        facts.platform === name ||
        (facts.platform === undefined &&
          qualifiedStack(facts.stack).startsWith(`${name.split("/").slice(0, -1).join("/")}/${environment}-`)),
    );
  }
}
