import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type Carried, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { engineRunErrors } from "#domain/errors/service/engine-runs.ts";
import { engineVersion } from "./command-line.ts";
import { type Message, report, type StackOrder } from "./order.ts";
import type { ResourceChange } from "./run/resource-change.ts";
import type { Step } from "./run/steps.ts";
import { removeLeftDirectories } from "./run-directory.ts";

/** Time for a run to save its current operations after a request to end. */
const END_MS = 120_000;
const LAST_WORDS = 4_000;
const PROGRAM = join(import.meta.dirname, "main.ts");
/** Compile cache of Node, shared by runs. */
const COMPILED =
  process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, "../../node_modules/.cache/tenantry/compiled");

export class RunFailed extends CatalogueError<Carried> {
  override name = "RunFailed";
  /** `fault`: the operation failed. `locked`: another run has the stack. `ended`: by request. `died`: the process was killed. */
  readonly why: "fault" | "locked" | "ended" | "died";
  constructor(why: RunFailed["why"], source: Carried) {
    super(source);
    this.why = why;
  }
}

export interface EngineOptions {
  /** Complete environment of the engine, its plugins and the program. */
  variables: Readonly<Record<string, string>>;
  /** Heap of each process of a run, in MiB. */
  memoryMib: number;
}

export interface RunListeners {
  onStep?: (step: Step) => void;
  /** Called for every resource, also unchanged ones. */
  onChange?: (change: ResourceChange) => void;
  /** Process ID of each engine that takes the stack's lock. */
  onEngine?: (pid: number) => void;
  onRecovered?: (what: string) => void;
  /** Ends the run after the current operations, which are saved. */
  signal: AbortSignal;
  /** Milliseconds from the signal until the run is killed. Default: 120,000. */
  endMs?: number;
}

/** Process of a run that loads its modules while it waits for an order. */
export interface OpenRun {
  /** Carries out the order and waits for the end of the process. @throws RunFailed */
  carryOut(order: StackOrder, listeners: RunListeners): Promise<void>;
  /** Ends the process unless it has an order. */
  close(): void;
}

/** The version of each engine, by the path that it is found on. */
const versions = new Map<string, Promise<string | undefined>>();

/** Reads the version once in a process. @returns undefined if it cannot be read: the run itself reports why */
function knownVersion(variables: EngineOptions["variables"]): Promise<string | undefined> {
  const path = variables.PATH ?? process.env.PATH ?? "";
  const version =
    versions.get(path) ??
    engineVersion(variables).catch(() => {
      versions.delete(path);
      return undefined;
    });
  versions.set(path, version);
  return version;
}

export class EngineRuns {
  readonly #options: EngineOptions;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  run(order: StackOrder, listeners: RunListeners): Promise<void> {
    return this.open().carryOut(order, listeners);
  }

  /** Starts the process of a run before its order is known. */
  open(): OpenRun {
    const { variables, memoryMib } = this.#options;
    const version = knownVersion(variables);
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
    const carryOut: OpenRun["carryOut"] = async (order, { signal, endMs = END_MS, ...listeners }) => {
      isOrdered = true;
      const send = (sent: Message) => child.connected && child.send(sent);
      let late: NodeJS.Timeout | undefined;
      const end = () => {
        send({ kind: "end" });
        late = setTimeout(() => killGroup(child.pid), endMs);
      };
      let outcome: "done" | RunFailed | undefined;
      child.on("message", (given) => {
        const sent = report.parse(given);
        if (sent.kind === "step") listeners.onStep?.(sent.step);
        else if (sent.kind === "change") listeners.onChange?.(sent.change);
        else if (sent.kind === "engine") listeners.onEngine?.(sent.pid);
        else if (sent.kind === "recovered") listeners.onRecovered?.(sent.what);
        else outcome = sent.kind === "done" ? "done" : new RunFailed(sent.why, sent);
      });
      if (signal.aborted) end();
      signal.addEventListener("abort", end, { once: true });
      const engineVersion = await Promise.race([version, gone.then(() => undefined)]);
      send({ kind: "order", order: { ...order, engineVersion } });
      const how = await gone;
      signal.removeEventListener("abort", end);
      clearTimeout(late);
      outcome ??= new RunFailed("died", death(how, lastWords, memoryMib));
      if (outcome !== "done") throw outcome;
    };
    return { carryOut, close: () => void (isOrdered || killGroup(child.pid)) };
  }
}

function startProcess({ variables, memoryMib }: EngineOptions): ChildProcess {
  const heap = `--max-old-space-size=${memoryMib}`;
  return fork(PROGRAM, {
    // Leads a process group with the engine and its plugins, which is killed as a whole.
    detached: true,
    // A larger young generation: a tenth of the processor time, for 30 MB.
    execArgv: ["--disable-warning=ExperimentalWarning", heap, "--min-semi-space-size=64", "--max-semi-space-size=64"],
    env: { NODE_COMPILE_CACHE: COMPILED, ...variables, NODE_OPTIONS: heap, GOMEMLIMIT: `${memoryMib}MiB` },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

function death(how: string, lastWords: string, memoryMib: number): CatalogueError {
  return lastWords.includes("heap out of memory")
    ? new CatalogueError(engineRunErrors.run_memory_exceeded, { memory: memoryMib })
    : new CatalogueError(engineRunErrors.run_died, { how });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
