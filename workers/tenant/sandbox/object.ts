/**
 * The Durable Object of a tenant's container (vendor: "Durable Object Container"). It uses the container directly: the vendor's library
 * wakes the container with each call and has a sleep timer of its own. Only the Supervisor decides on sleep, after a backup of the state.
 */

import { DurableObject } from "cloudflare:workers";
import { withTimeout } from "@tenantry/std/within";
import { ADMITTED_AT_HEADER, timeIn } from "#workers/contracts/platform-headers.ts";
import { SANDBOX_ERROR_HEADER, SANDBOX_PORT_HEADER, type StartAnswer } from "#workers/contracts/tenant/sandbox.ts";
import { log } from "#workers/shared/log.ts";
import type { NetworkPlan } from "../egress/network-plan.ts";
import type { TenantEnv } from "../env.ts";
import { cutResponse } from "../gateway/last-cut.ts";
import { OpenConnections } from "../gateway/open-connections.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import { ActivityMeter } from "./activity-meter.ts";
import type { CommandResult, SandboxCalls } from "./calls.ts";
import {
  authorityQuery,
  endCommand,
  lacksAuthority,
  parseProcessQuery,
  processQuery,
  type SeenProcesses,
  startCommand,
} from "./commands.ts";
import { Interceptions } from "./interceptions.ts";
import { metered } from "./metered-response.ts";
import { ModelCallCounter } from "./model-call-counter.ts";
import { entrypointsOf } from "./outbound.ts";
import type { ContainerNetwork } from "./port.ts";
import { pump } from "./pump.ts";

const MAX_PROBE_BYTES = 256_000; // 200 devices have about 100 kB.
/** Part of the runtime's error for a closed port, in production and in workerd. */
const NOT_LISTENING = "not listening";
/** Time limit from a container's start to its first command, in milliseconds. */
const BOOT_MS = 60_000;
const BOOT_PROBE_MS = 5_000;
/** Time limit for the end of a command that no longer reads its input, in milliseconds. */
const INPUT_CLOSED_MS = 5_000;
/** How long a container runs without calls from this object, which may be evicted, in milliseconds. */
const UNATTENDED_MS = 24 * 60 * 60 * 1000;
const RENEW_MS = 60 * 60 * 1000;
/** Whether the container was started with access to what is not intercepted. */
const INTERNET_MARK = "container-internet";

export class Sandbox extends DurableObject<TenantEnv> implements SandboxCalls {
  readonly #connections = new OpenConnections();
  /** Commands in progress. A command without a reference loses its output. */
  readonly #commands = new Set<ExecProcess>();
  readonly #modelCalls = new ModelCallCounter();
  #meter: ActivityMeter | undefined;
  #isEndingGateway = false;
  #isStopping = false;
  #passes = false;
  /** Milliseconds since the epoch. */
  #cutAt = 0;
  #waking: Promise<void> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #renewedAt = 0;
  /** Of the running container. */
  #interceptions: Interceptions<Fetcher> | undefined;
  #following: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: TenantEnv) {
    super(ctx, env);
    // The container may still run after this object was evicted.
    if (ctx.container?.running) ctx.waitUntil(this.#attachAgain(ctx.container));
  }

  override async fetch(request: Request): Promise<Response> {
    const port = Number(request.headers.get(SANDBOX_PORT_HEADER));
    const container = this.#running;
    if (!(port > 0) || container === undefined || this.#isEndingGateway || !this.#passes) return closed();
    const admittedAt = timeIn(request.headers, ADMITTED_AT_HEADER) ?? Number.POSITIVE_INFINITY;
    if (admittedAt < this.#cutAt) return cutResponse(this.#cutAt, { [SANDBOX_ERROR_HEADER]: "cut" });
    const headers = new Headers(request.headers);
    headers.delete(SANDBOX_PORT_HEADER);
    headers.delete(ADMITTED_AT_HEADER);
    // The port speaks plain HTTP.
    const url = request.url.replace(/^https:/, "http:");
    const passed = new Request(url, new Request(request, { headers, redirect: "manual" }));
    try {
      const send = () => container.getTcpPort(port).fetch(passed);
      return await metered(this.#activityMeter, this.#connections, request.method, send);
    } catch (error) {
      if (!container.running || isClosed(error)) return closed();
      throw error;
    }
  }

  setTraffic(passes: boolean, cutAt = 0) {
    this.#passes = passes;
    this.#cutAt = Math.max(this.#cutAt, cutAt);
  }

  cut(cutAt = 0) {
    this.#cutAt = Math.max(this.#cutAt, cutAt);
    this.#connections.cut();
  }

  async followEgress(): Promise<void> {
    await this.#waking?.catch(() => {});
    if (this.#running !== undefined) await this.#follow(this.#running);
  }

  async egress(): Promise<ContainerNetwork | undefined> {
    if (this.#running === undefined) return undefined;
    await this.#followed();
    const { gaps = [], hasHttps = false } = this.#interceptions ?? {};
    // Earlier versions stored no mark, and started every container with it.
    const internet = (await this.ctx.storage.get<boolean>(INTERNET_MARK)) ?? true;
    const isUntrusted = hasHttps && lacksAuthority((await this.query(authorityQuery())) ?? "");
    return { internet, gaps: isUntrusted ? [...gaps, "certificate"] : gaps };
  }

  modelCall() {
    return this.#modelCalls.begin();
  }

  hasModelCalls() {
    return this.#modelCalls.hasCalls;
  }

  async observe() {
    const seen = await this.#processes();
    return seen === undefined ? undefined : { seen, activity: this.#activityMeter.read() };
  }

  start(env: Record<string, string>): Promise<StartAnswer> {
    return this.#runExclusively(async () => {
      await this.wake();
      const { processes, family } = (await this.#processes()) ?? parseProcessQuery("");
      const running = processes.find(({ type }) => type === "gateway") ?? processes[0];
      if (running !== undefined) return { started: false, process: running };
      // Child processes of an earlier gateway must not write beside a new one.
      if (family.length > 0) await this.query(endCommand(family));
      const { code, stdout, stderr } = await this.run(startCommand(), env);
      if (code !== 0) throw new Error(`Failed to run the startup script: ${stderr.trim()}`);
      return { started: true, process: { id: stdout.trim(), type: "script", status: "running" } };
    });
  }

  end(idleMs: number | undefined): Promise<boolean> {
    return this.#runExclusively(async () => {
      if (this.#running === undefined) return true;
      if (idleMs !== undefined && this.#activityMeter.read().idleMs < idleMs) return false;
      this.#isEndingGateway = true;
      try {
        const family = (await this.#processes())?.family ?? [];
        if (family.length > 0) await this.query(endCommand(family));
        return true;
      } finally {
        this.#isEndingGateway = false;
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
    await this.#runExclusively(async () => {
      const container = this.#running;
      this.#isStopping = true;
      try {
        await container?.destroy();
        this.#meter = undefined;
      } finally {
        this.#isStopping = false;
      }
    });
  }

  async query(command: string): Promise<string | undefined> {
    const container = this.#running;
    if (container === undefined) return undefined;
    this.#renewTimeout(container);
    const process = await this.#exec(container, ["sh", "-c", command], { stderr: "ignore" });
    const { stdout } = await process.output();
    return new TextDecoder().decode(stdout);
  }

  async run(command: string[], env: Record<string, string> = {}): Promise<CommandResult> {
    const process = await this.#exec(this.#requireRunning(), command, { env });
    const { exitCode, stdout, stderr } = await process.output();
    const decoder = new TextDecoder();
    return { code: exitCode, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  async read(command: string[]): Promise<ReadableStream> {
    const { stdout } = await this.#exec(this.#requireRunning(), command, { stderr: "ignore" });
    if (stdout === null) throw new Error("The container's command has no output stream.");
    return stdout;
  }

  async write(command: string[], body: ReadableStream): Promise<number> {
    const options = { stdin: "pipe", stdout: "ignore", stderr: "ignore" } as const;
    const process = await this.#exec(this.#requireRunning(), command, options);
    if (process.stdin === null) throw new Error("The container's command has no input stream.");
    try {
      await pump(body, process.stdin);
    } catch (error) {
      // The exit code of a command that ended early says more than the broken stream.
      const code = await withTimeout(INPUT_CLOSED_MS, process.exitCode);
      if (code === undefined || code === 0) throw error;
      return code;
    }
    return process.exitCode;
  }

  async request(port: number, path: string, timeoutMs: number, body?: string) {
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
    if (container === undefined)
      throw new Error("The Durable Object has no container. Deploy its container application.");
    if (container.running) return this.#followed();
    // Before the start, so that no container runs when the policy cannot be read.
    const plan = await supervisorOf(this.env).networkPlan();
    const internet = plan?.internet ?? true;
    // First, so that it is correct if this object does not see the end of the start.
    await this.ctx.storage.put(INTERNET_MARK, internet);
    container.start({ enableInternet: internet });
    this.#meter = new ActivityMeter();
    this.#interceptions = undefined;
    this.#attach(container);
    await this.#follow(container, plan);
    const deadline = Date.now() + BOOT_MS;
    for (;;) {
      try {
        const process = await withTimeout(BOOT_PROBE_MS, this.#exec(container, ["true"], {}));
        if (process !== undefined && (await process.exitCode) === 0) return;
      } catch (error) {
        if (!container.running || Date.now() > deadline) throw error;
      }
      if (Date.now() > deadline) throw new Error(`The container ran no command within ${BOOT_MS} ms.`);
    }
  }

  #attach(container: Container): void {
    // Without it, this object would not notice the container's end.
    this.ctx.waitUntil(this.#monitor(container));
    this.#renewTimeout(container);
  }

  /** After an eviction. The container has its mappings, but their entrypoints may be of an earlier version. */
  async #attachAgain(container: Container): Promise<void> {
    this.#attach(container);
    await this.#follow(container).catch((error: unknown) => {
      log("error", "egress.not-followed", { message: String(error) });
    });
  }

  /** Intercepts what a policy demands. @param plan default: that of the policy in force */
  #follow(container: Container, plan?: NetworkPlan | null): Promise<void> {
    const follow = async () => {
      const demanded = plan === undefined ? await supervisorOf(this.env).networkPlan() : plan;
      this.#interceptions ??= new Interceptions(container, entrypointsOf(this.ctx.exports));
      await this.#interceptions.follow(demanded);
    };
    const following = follow();
    this.#following = following;
    return following;
  }

  /** Waits for the interception of a running container, which is repeated if it failed. */
  async #followed(): Promise<void> {
    const container = this.#running;
    if (container === undefined) return;
    await (this.#following ?? this.#follow(container)).catch(() => this.#follow(container));
  }

  async #monitor(container: Container): Promise<void> {
    try {
      await container.monitor();
    } catch (error) {
      log("error", "container.failed", { message: String(error) });
    }
    if (!container.running) this.#meter = undefined;
  }

  #renewTimeout(container: Container): void {
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
    const output = await this.query(processQuery());
    return output === undefined ? undefined : parseProcessQuery(output);
  }

  async #exec(container: Container, command: string[], options: ContainerExecOptions): Promise<ExecProcess> {
    const process = await container.exec(command, options);
    this.#commands.add(process);
    const remove = () => this.#commands.delete(process);
    this.ctx.waitUntil(process.exitCode.then(remove, remove));
    return process;
  }

  /** The meter since the container woke, or since this object was evicted. */
  get #activityMeter(): ActivityMeter {
    this.#meter ??= new ActivityMeter();
    return this.#meter;
  }

  /** The container, while it runs and is not being stopped. */
  get #running(): Container | undefined {
    const container = this.ctx.container;
    return container?.running && !this.#isStopping ? container : undefined;
  }

  #requireRunning(): Container {
    const container = this.#running;
    if (container === undefined) throw new Error("The container is not running.");
    return container;
  }

  #runExclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work, work);
    this.#queue = result.catch(() => {});
    return result;
  }
}

const isClosed = (error: unknown): boolean => String(error).includes(NOT_LISTENING);

const closed = (): Response => new Response(null, { status: 502, headers: { [SANDBOX_ERROR_HEADER]: "closed" } });
