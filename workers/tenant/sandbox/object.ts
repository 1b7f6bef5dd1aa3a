/**
 * The Durable Object of a tenant's container (vendor: "Durable Object Container"). Built on the container itself and not on the
 * vendor's library for it, whose every call wakes the container and renews a sleep timer of its own.
 *
 * When the container sleeps is for the Supervisor alone to decide, which backs the state up before.
 */

import { DurableObject } from "cloudflare:workers";
import { within } from "@tenantry/std/within";
import {
  SANDBOX_ERROR_HEADER,
  SANDBOX_PORT_HEADER,
  type SandboxActivity,
  type StartAnswer,
} from "#workers/contracts/tenant/sandbox.ts";
import { log } from "#workers/shared/log.ts";
import type { TenantEnv } from "../env.ts";
import { OpenConnections } from "../gateway/open-connections.ts";
import { ActivityMeter } from "./activity-meter.ts";
import type { CommandResult, ModelCall, SandboxCalls } from "./calls.ts";
import { endCommand, parseProcessQuery, processQuery, type SeenProcesses, startCommand } from "./commands.ts";
import { metered } from "./metered-response.ts";
import { ModelCallsUnderWay } from "./model-calls-under-way.ts";
import { openWaysOut } from "./ways-out.ts";

const MAX_PROBE_BYTES = 64_000;
const PUMPED_BYTES = 256 * 1024;
/** In what the runtime throws for a port that is closed, in production and in workerd. */
const NOT_LISTENING = "not listening";
/** How long a container may take from its start to its first command, in milliseconds. */
const BOOT_MS = 60_000;
const BOOT_LOOK_MS = 5_000;
/** How long a command that takes no more input may take to end, in milliseconds. */
const REFUSAL_MS = 5_000;
/**
 * How long a container goes on without this object, which may be evicted at any time, in milliseconds. Renewed while somebody
 * looks, as the minute's tick does; so only a container that nobody knows of any more ends by it.
 */
const UNATTENDED_MS = 24 * 60 * 60 * 1000;
const RENEW_MS = 60 * 60 * 1000;

export class Sandbox extends DurableObject<TenantEnv> implements SandboxCalls {
  readonly #connections = new OpenConnections();
  /** Commands under way. One whose handle is dropped loses its output. */
  readonly #commands = new Set<ExecProcess>();
  readonly #modelCalls = new ModelCallsUnderWay();
  #meter: ActivityMeter | undefined;
  #ending = false;
  /** Whether the container is being stopped. */
  #leaving = false;
  #passes = false;
  #waking: Promise<void> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #renewedAt = 0;

  constructor(ctx: DurableObjectState, env: TenantEnv) {
    super(ctx, env);
    // An object that was evicted takes up a container that runs.
    if (ctx.container?.running) ctx.waitUntil(this.#attend(ctx.container));
  }

  override async fetch(request: Request): Promise<Response> {
    const port = Number(request.headers.get(SANDBOX_PORT_HEADER));
    const container = this.#running;
    if (!(port > 0) || container === undefined || this.#ending || !this.#passes) return closed();
    const headers = new Headers(request.headers);
    headers.delete(SANDBOX_PORT_HEADER);
    // The port speaks plain HTTP.
    const url = request.url.replace(/^https:/, "http:");
    const passed = new Request(url, new Request(request, { headers, redirect: "manual" }));
    try {
      const ask = () => container.getTcpPort(port).fetch(passed);
      return await metered(this.#traffic(), this.#connections, request.method, ask);
    } catch (error) {
      if (!container.running || isClosed(error)) return closed();
      throw error;
    }
  }

  setTraffic(passes: boolean): void {
    this.#passes = passes;
  }

  cut(): void {
    this.#connections.cut();
  }

  modelCall(): ModelCall {
    return this.#modelCalls.begin();
  }

  asksModels(): boolean {
    return this.#modelCalls.some;
  }

  async observe(): Promise<{ seen: SeenProcesses; activity: SandboxActivity } | undefined> {
    const seen = await this.#processes();
    return seen === undefined ? undefined : { seen, activity: this.#traffic().read() };
  }

  start(env: Record<string, string>): Promise<StartAnswer> {
    return this.#alone(async () => {
      await this.wake();
      const { processes, family } = (await this.#processes()) ?? parseProcessQuery("");
      const running = processes.find(({ type }) => type === "gateway") ?? processes[0];
      if (running !== undefined) return { started: false, process: running };
      // What a gateway that is gone left behind must not write beside a new one.
      if (family.length > 0) await this.look(endCommand(family));
      const { code, stdout, stderr } = await this.run(startCommand(), env);
      if (code !== 0) throw new Error(`the startup script cannot be run: ${stderr.trim()}`);
      return { started: true, process: { id: stdout.trim(), type: "script", status: "running" } };
    });
  }

  end(idleMs: number | undefined): Promise<boolean> {
    return this.#alone(async () => {
      if (this.#running === undefined) return true;
      if (idleMs !== undefined && this.#traffic().read().idleMs < idleMs) return false;
      this.#ending = true;
      try {
        const family = (await this.#processes())?.family ?? [];
        if (family.length > 0) await this.look(endCommand(family));
        return true;
      } finally {
        this.#ending = false;
      }
    });
  }

  async wake(): Promise<void> {
    this.#waking ??= this.#wake().finally(() => {
      this.#waking = undefined;
    });
    await this.#waking;
  }

  async sleep(): Promise<void> {
    await this.#alone(async () => {
      const container = this.#running;
      this.#leaving = true;
      try {
        await container?.destroy();
        this.#meter = undefined;
      } finally {
        this.#leaving = false;
      }
    });
  }

  async look(command: string): Promise<string | undefined> {
    const container = this.#running;
    if (container === undefined) return undefined;
    this.#renew(container);
    const process = await this.#exec(container, ["sh", "-c", command], { stderr: "ignore" });
    const { stdout } = await process.output();
    return new TextDecoder().decode(stdout);
  }

  async run(command: string[], env: Record<string, string> = {}): Promise<CommandResult> {
    const process = await this.#exec(this.#awake(), command, { env });
    const { exitCode, stdout, stderr } = await process.output();
    const decoder = new TextDecoder();
    return { code: exitCode, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  async read(command: string[]): Promise<ReadableStream> {
    const { stdout } = await this.#exec(this.#awake(), command, { stderr: "ignore" });
    if (stdout === null) throw new Error("the container gives no output");
    return stdout;
  }

  async write(command: string[], body: ReadableStream): Promise<number> {
    const process = await this.#exec(this.#awake(), command, { stdin: "pipe", stdout: "ignore", stderr: "ignore" });
    if (process.stdin === null) throw new Error("the container takes no input");
    try {
      await pump(body, process.stdin);
    } catch (error) {
      // One that ended before it had taken all says more; one that goes on has not been told of the end.
      const code = await within(REFUSAL_MS, process.exitCode);
      if (code === undefined || code === 0) throw error;
      return code;
    }
    return process.exitCode;
  }

  async ask(
    port: number,
    path: string,
    timeoutMs: number,
    body?: string,
  ): Promise<{ status: number; body: string } | undefined> {
    const container = this.#running;
    if (container === undefined) return undefined;
    try {
      const response = await container.getTcpPort(port).fetch(`http://localhost:${port}${path}`, {
        ...(body !== undefined && { method: "POST", body }),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, body: (await response.text()).slice(0, MAX_PROBE_BYTES) };
    } catch (error) {
      if (!container.running || isClosed(error)) return undefined;
      throw error;
    }
  }

  async #wake(): Promise<void> {
    const container = this.ctx.container;
    if (container === undefined) throw new Error("this class has no container: its application is not deployed");
    if (container.running) return;
    container.start({ enableInternet: true });
    this.#meter = new ActivityMeter();
    await this.#attend(container);
    const deadline = Date.now() + BOOT_MS;
    for (;;) {
      try {
        const process = await within(BOOT_LOOK_MS, this.#exec(container, ["true"], {}));
        if (process !== undefined && (await process.exitCode) === 0) return;
      } catch (error) {
        if (!container.running || Date.now() > deadline) throw error;
      }
      if (Date.now() > deadline) throw new Error(`the container took no command within ${BOOT_MS} ms`);
    }
  }

  /** Looks after a container that runs: hears of its end, keeps it, and lets its gateway report metrics and ask models. */
  async #attend(container: Container): Promise<void> {
    // Without it, an object that took a container up would never learn that it has ended.
    this.ctx.waitUntil(this.#watch(container));
    this.#renew(container);
    await openWaysOut(container, this.ctx.exports);
  }

  async #watch(container: Container): Promise<void> {
    try {
      await container.monitor();
    } catch (error) {
      log("error", "container.failed", { message: String(error) });
    }
    if (!container.running) this.#meter = undefined;
  }

  #renew(container: Container): void {
    if (Date.now() - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = Date.now();
    this.ctx.waitUntil(
      container.setInactivityTimeout(UNATTENDED_MS).catch((error: unknown) => {
        this.#renewedAt = 0;
        log("error", "container.not-kept", { message: String(error) });
      }),
    );
  }

  async #processes(): Promise<SeenProcesses | undefined> {
    const output = await this.look(processQuery());
    return output === undefined ? undefined : parseProcessQuery(output);
  }

  async #exec(container: Container, command: string[], options: ContainerExecOptions): Promise<ExecProcess> {
    const process = await container.exec(command, options);
    this.#commands.add(process);
    const over = () => this.#commands.delete(process);
    this.ctx.waitUntil(process.exitCode.then(over, over));
    return process;
  }

  /** The meter of this waking; a new one when this object was evicted meanwhile. */
  #traffic(): ActivityMeter {
    this.#meter ??= new ActivityMeter();
    return this.#meter;
  }

  /** The container, while it runs and is not about to stop. */
  get #running(): Container | undefined {
    const container = this.ctx.container;
    return container?.running && !this.#leaving ? container : undefined;
  }

  #awake(): Container {
    const container = this.#running;
    if (container === undefined) throw new Error("the container does not run");
    return container;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work, work);
    this.#queue = result.catch(() => {});
    return result;
  }
}

/** By hand: in some versions the runtime's own way from one stream to the other never tells a command of the end of a large body. */
async function pump(body: ReadableStream, to: WritableStream): Promise<void> {
  const reader = body.getReader({ mode: "byob" });
  const writer = to.getWriter();
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(PUMPED_BYTES, new Uint8Array(PUMPED_BYTES));
      if (value !== undefined && value.byteLength > 0) await writer.write(value);
      if (done) break;
    }
    await writer.close();
  } catch (error) {
    await Promise.allSettled([reader.cancel(error), writer.abort(error)]);
    throw error;
  }
}

const isClosed = (error: unknown): boolean => String(error).includes(NOT_LISTENING);

const closed = (): Response => new Response(null, { status: 502, headers: { [SANDBOX_ERROR_HEADER]: "closed" } });
