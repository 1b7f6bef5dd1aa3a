/**
 * Container engines in their own process. Linux copies the page tables of a process that starts another, and then every page that is written:
 * in a large process that blocks everything for tens of milliseconds per command.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Log } from "@tenantry/std/log";
import { type Instance, isOf } from "../deployments.ts";
import type { ContainerEngineOptions, ProcessEngine } from "../engine.ts";
import { containerKey, keyOf } from "../names.ts";
import { type Order, type Report, report } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL("program.ts", import.meta.url));

type Reply = Exclude<Report, { engine: number }>;
type Call = Extract<Order, { call: number }>;
/** Each type of a union without its call number. */
type WithoutCall<T> = T extends unknown ? Omit<T, "call"> : never;

interface Listener {
  log: Log;
  running: readonly Instance[];
  onChange: Set<() => void>;
}

export class EngineHost {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, PromiseWithResolvers<Reply>>();
  readonly #listeners = new Map<number, Listener>();
  readonly #onLost: ((error: Error) => void) | undefined;
  #last = 0;
  #ending = false;
  #gone: Error | undefined;

  /**
   * Starts the process. It ends with this one, and keeps this one running only during a call.
   *
   * @param onLost called when it ends by itself, with its engines and their containers. It is not restarted
   */
  constructor(onLost?: (error: Error) => void) {
    this.#onLost = onLost;
    this.#child = fork(PROGRAM, {
      // Its own process group, out of reach of Ctrl-C.
      detached: true,
      execArgv: ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=1"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child.on("message", (message) => this.#onReport(report.parse(message)));
    this.#child.once("error", (error) => this.#onEnd(error.message));
    this.#child.once("exit", (code, by) => this.#onEnd(by ?? `code ${code}`));
    this.#unref();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Starts an engine by {@link startContainerEngine}. @throws Error with its reason, or when the process has ended */
  async open({ log, onChange: _, ...options }: ContainerEngineOptions): Promise<ProcessEngine> {
    const engine = ++this.#last;
    const listener: Listener = { log, running: [], onChange: new Set() };
    this.#listeners.set(engine, listener);
    const reply = await this.#call({ kind: "open", engine, settings: options }).catch((error: unknown) => {
      this.#listeners.delete(engine);
      throw error;
    });
    if (reply.kind !== "opened") throw new Error(`the process of container engines replied ${reply.kind}`);
    const { opened } = reply;
    let stopped: Promise<unknown> | undefined;
    return {
      ...opened,
      image: undefined,
      uniqueKey: (script, className) => {
        // The process gets the class before workerd, which does not have the key yet, can request a container.
        this.#send({ kind: "class", engine, script, className });
        return containerKey(opened.marker, script, className);
      },
      isAwake: (script) => listener.running.some((one) => isOf(script, one)),
      deploy: (script, className, deployment) => {
        // When the process has ended, no container starts.
        if (this.#gone === undefined)
          this.#send({ kind: "deploy", engine, script, className, ...(deployment && { deployment }) });
      },
      instances: (script, className) => {
        const key = containerKey(opened.marker, script, className);
        return listener.running.filter(({ name }) => keyOf(name) === key);
      },
      onChange: (called) => {
        listener.onChange.add(called);
        return () => listener.onChange.delete(called);
      },
      stopContainer: async (name, how) => {
        await this.#call({ kind: "stopContainer", engine, name, how });
      },
      ready: async () => {},
      end: async (script) => {
        await this.#call({ kind: "end", engine, script });
      },
      stop: async () => {
        // When the process has ended, also before it replied, its engines have too.
        stopped ??= this.#call({ kind: "stop", engine }).catch((error: unknown) => {
          if (this.#gone === undefined) throw error;
        });
        await stopped;
        this.#listeners.delete(engine);
      },
    };
  }

  async stop(): Promise<void> {
    if (this.#gone !== undefined) return;
    this.#ending = true;
    const exit = once(this.#child, "exit");
    this.#child.ref();
    if (this.#child.connected) this.#child.disconnect();
    await exit;
  }

  async #call(order: WithoutCall<Call>): Promise<Reply> {
    const call = ++this.#last;
    const replied = Promise.withResolvers<Reply>();
    this.#calls.set(call, replied);
    this.#child.ref();
    this.#child.channel?.ref();
    try {
      this.#send({ ...order, call } as Call);
      return await replied.promise;
    } finally {
      this.#calls.delete(call);
      if (this.#calls.size === 0) this.#unref();
    }
  }

  #send(order: Order): void {
    if (this.#gone !== undefined || !this.#child.connected) throw this.#gone ?? new Error(GONE);
    this.#child.send(order);
  }

  #onReport(message: Report): void {
    if (message.kind === "log") this.#listeners.get(message.engine)?.log(message.area, message.event, message.fields);
    else if (message.kind === "running") {
      const listener = this.#listeners.get(message.engine);
      if (listener === undefined) return;
      listener.running = message.instances;
      for (const called of listener.onChange) called();
    } else if (message.kind === "failed") this.#calls.get(message.call)?.reject(new Error(message.message));
    else this.#calls.get(message.call)?.resolve(message);
  }

  #onEnd(how: string): void {
    if (this.#gone !== undefined) return;
    this.#gone = new Error(`${GONE} Reason: ${how}.`);
    if (!this.#ending) this.#onLost?.(this.#gone);
    for (const { reject } of this.#calls.values()) reject(this.#gone);
    for (const listener of this.#listeners.values()) listener.running = [];
  }

  #unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}

const GONE = "The process that runs the containers has ended. Restart the edge.";
