/**
 * Container engines in a process of their own. Linux copies the page tables of whoever starts a process, and then every page
 * that is written: in a process of some hundred megabytes that blocks all else for tens of milliseconds a command.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Log } from "@tenantry/std/log";
import type { ContainerEngineOptions, ProcessEngine } from "../engine.ts";
import { containerKey, type ScriptName } from "../names.ts";
import { type Order, type Report, report } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL("program.ts", import.meta.url));

type Answer = Exclude<Report, { engine: number }>;
type Call = Exclude<Order, { kind: "class" }>;
/** Of a union each: an order without the number of its call. */
type Uncalled<T> = T extends unknown ? Omit<T, "call"> : never;

/** What an engine tells without being asked. */
interface Listener {
  log: Log;
  awake: ReadonlySet<string>;
}

const scriptKey = ({ namespace, name }: ScriptName): string => `${namespace}/${name}`;

export class EngineHost {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, PromiseWithResolvers<Answer>>();
  readonly #listeners = new Map<number, Listener>();
  readonly #onLost: ((error: Error) => void) | undefined;
  #last = 0;
  #ending = false;
  #gone: Error | undefined;

  /**
   * Starts the process. It ends with this one, and keeps it from ending only while it is asked something.
   *
   * @param onLost hears when it ends by itself: its engines and their containers are gone then, and nothing starts them again
   */
  constructor(onLost?: (error: Error) => void) {
    this.#onLost = onLost;
    this.#child = fork(PROGRAM, {
      // A group of its own: a terminal's Ctrl-C is for this process alone.
      detached: true,
      execArgv: ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=1"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child.on("message", (message) => this.#hear(report.parse(message)));
    this.#child.once("error", (error) => this.#lose(error.message));
    this.#child.once("exit", (code, by) => this.#lose(by ?? `code ${code}`));
    this.#rest();
  }

  /** Of the process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Starts an engine, as {@link startContainerEngine} does. @throws Error with its reason, or when the host is gone */
  async open({ log, onAwake: _, ...options }: ContainerEngineOptions): Promise<ProcessEngine> {
    const engine = ++this.#last;
    const listener: Listener = { log, awake: new Set() };
    this.#listeners.set(engine, listener);
    const answer = await this.#ask({
      kind: "open",
      engine,
      settings: options,
    }).catch((error: unknown) => {
      this.#listeners.delete(engine);
      throw error;
    });
    if (answer.kind !== "opened") throw new Error(`the host of container engines answered ${answer.kind}`);
    const { opened } = answer;
    let stopped: Promise<unknown> | undefined;
    return {
      ...opened,
      image: undefined,
      uniqueKey: (script, className) => {
        // The host knows it before workerd, which is only about to be told the key, can have asked for a container.
        this.#send({ kind: "class", engine, script, className });
        return containerKey(opened.marker, script, className);
      },
      isAwake: (script) => listener.awake.has(scriptKey(script)),
      ready: async () => {},
      end: async (script) => {
        await this.#ask({ kind: "end", engine, script });
      },
      stop: async () => {
        // With the host its engines and their containers have ended.
        stopped ??= this.#gone === undefined ? this.#ask({ kind: "stop", engine }) : Promise.resolve();
        await stopped;
        this.#listeners.delete(engine);
      },
    };
  }

  /** Ends the process, and what engines it still has. */
  async stop(): Promise<void> {
    if (this.#gone !== undefined) return;
    this.#ending = true;
    const exit = once(this.#child, "exit");
    this.#child.ref();
    if (this.#child.connected) this.#child.disconnect();
    await exit;
  }

  async #ask(given: Uncalled<Call>): Promise<Answer> {
    const call = ++this.#last;
    const answered = Promise.withResolvers<Answer>();
    this.#calls.set(call, answered);
    this.#child.ref();
    this.#child.channel?.ref();
    try {
      this.#send({ ...given, call } as Call);
      return await answered.promise;
    } finally {
      this.#calls.delete(call);
      if (this.#calls.size === 0) this.#rest();
    }
  }

  #send(given: Order): void {
    if (this.#gone !== undefined || !this.#child.connected) throw this.#gone ?? new Error(GONE);
    this.#child.send(given);
  }

  #hear(said: Report): void {
    if (said.kind === "log") this.#listeners.get(said.engine)?.log(said.area, said.event, said.fields);
    else if (said.kind === "awake") {
      const listener = this.#listeners.get(said.engine);
      if (listener !== undefined) listener.awake = new Set(said.scripts.map(scriptKey));
    } else if (said.kind === "failed") this.#calls.get(said.call)?.reject(new Error(said.message));
    else this.#calls.get(said.call)?.resolve(said);
  }

  #lose(how: string): void {
    if (this.#gone !== undefined) return;
    this.#gone = new Error(`${GONE} It ended: ${how}.`);
    if (!this.#ending) this.#onLost?.(this.#gone);
    for (const { reject } of this.#calls.values()) reject(this.#gone);
    for (const listener of this.#listeners.values()) listener.awake = new Set();
  }

  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}

const GONE = "The process that runs the containers is gone; start again.";
