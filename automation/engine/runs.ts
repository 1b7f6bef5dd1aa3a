/** Runs of the engine, each in a process of its own with a bound on its memory. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { engineVersion } from "./command-line.ts";
import { type Message, report, type StackOrder } from "./order.ts";
import type { ResourceChange } from "./run/resource-change.ts";
import type { Step } from "./run/steps.ts";
import { removeLeftDirectories } from "./run-directory.ts";

/** How long a run may take to save what is under way, once it is told to end, in milliseconds. */
const END_MS = 120_000;
/** Characters of what a process said last that are looked at. */
const LAST_WORDS = 4_000;
const PROGRAM = join(import.meta.dirname, "main.ts");
/** Where Node keeps what it has compiled of the programs, for the next run; where it may not write it compiles anew. */
const COMPILED =
  process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, "../../node_modules/.cache/tenantry/compiled");

/** Why a run came to nothing: one clear message. */
export class RunFailed extends Error {
  override name = "RunFailed";
  /** `fault`: what it was to do cannot be done. `locked`: somebody else's run has the stack. `ended`: it was told to end. `died`: its process was killed. */
  readonly why: "fault" | "locked" | "ended" | "died";
  constructor(why: RunFailed["why"], message: string) {
    super(message);
    this.why = why;
  }
}

export interface EngineOptions {
  /** Variables of the engine, its plugins and the program, and no others. */
  variables: Readonly<Record<string, string>>;
  /** Heap of each of a run's processes, in MiB. */
  memoryMib: number;
}

export interface RunHearers {
  /** Hears of every resource that is being changed. Default: nobody does. */
  onStep?: (step: Step) => void;
  /** Hears of every resource, unchanged ones too. Default: nobody does. */
  onChange?: (change: ResourceChange) => void;
  /** Hears of every process of the engine that takes the stack's lock. Default: nobody does. */
  onEngine?: (pid: number) => void;
  /** Hears what was taken back of a run that was killed. Default: nobody does. */
  onRecovered?: (what: string) => void;
  /** Ends the run gracefully: what is under way is finished and saved. */
  signal: AbortSignal;
  /** How long it may take to end by that, in milliseconds; what takes longer is killed. Default: 120,000. */
  endMs?: number;
}

/** A run's process that has no order yet: it loads what it needs meanwhile. */
export interface OpenRun {
  /** Resolves when the order is carried out and the process is gone. @throws RunFailed */
  carryOut(order: StackOrder, hearers: RunHearers): Promise<void>;
  /** Ends it where it was given no order. */
  close(): void;
}

export class EngineRuns {
  readonly #options: EngineOptions;
  #version: Promise<string | undefined> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Resolves when the order is carried out and the process is gone. @throws RunFailed */
  run(order: StackOrder, hearers: RunHearers): Promise<void> {
    return this.open().carryOut(order, hearers);
  }

  /** Starts a run's process before it is known what it is to do. */
  open(): OpenRun {
    const { variables, memoryMib } = this.#options;
    // Where it cannot be asked the run itself says why.
    this.#version ??= engineVersion(variables).catch(() => undefined);
    const version = this.#version;
    removeLeftDirectories();
    const child = startProcess(this.#options);
    let lastWords = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      lastWords = `${lastWords}${chunk.toString("utf8")}`.slice(-LAST_WORDS);
    });
    const gone = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("close", (code, by) => resolve(by === null ? `code ${code}` : by));
    });
    let isOrdered = false;
    const carryOut = async (
      order: StackOrder,
      { onStep, onChange, onEngine, onRecovered, signal, endMs = END_MS }: RunHearers,
    ): Promise<void> => {
      isOrdered = true;
      const tell = (said: Message) => child.connected && child.send(said);
      let late: NodeJS.Timeout | undefined;
      const end = () => {
        tell({ kind: "end" });
        late = setTimeout(() => killGroup(child.pid), endMs);
      };
      let outcome: "done" | RunFailed | undefined;
      child.on("message", (given) => {
        const said = report.parse(given);
        if (said.kind === "step") onStep?.(said.step);
        else if (said.kind === "change") onChange?.(said.change);
        else if (said.kind === "engine") onEngine?.(said.pid);
        else if (said.kind === "recovered") onRecovered?.(said.what);
        else outcome = said.kind === "done" ? "done" : new RunFailed(said.why, said.message);
      });
      if (signal.aborted) end();
      signal.addEventListener("abort", end, { once: true });
      const engineVersion = await Promise.race([version, gone.then(() => undefined)]);
      tell({ kind: "order", order: { ...order, engineVersion } });
      const how = await gone;
      signal.removeEventListener("abort", end);
      clearTimeout(late);
      outcome ??= new RunFailed("died", endOf(how, lastWords, memoryMib));
      if (outcome !== "done") throw outcome;
    };
    return { carryOut, close: () => void (isOrdered || killGroup(child.pid)) };
  }
}

function startProcess({ variables, memoryMib }: EngineOptions): ChildProcess {
  const heap = `--max-old-space-size=${memoryMib}`;
  return fork(PROGRAM, {
    // It leads the group of the engine and its plugins, which ends with it.
    detached: true,
    // Begun with a young generation that is large enough for most runs, it collects a tenth less.
    execArgv: ["--disable-warning=ExperimentalWarning", heap, "--min-semi-space-size=32"],
    env: { NODE_COMPILE_CACHE: COMPILED, ...variables, NODE_OPTIONS: heap, GOMEMLIMIT: `${memoryMib}MiB` },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

function endOf(how: string, lastWords: string, memoryMib: number): string {
  return lastWords.includes("heap out of memory")
    ? `The run needed more memory than it may have, ${memoryMib} MiB. Raise ENGINE_MEMORY_MIB.`
    : `The engine's process ended before the run was complete: ${how}.`;
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
