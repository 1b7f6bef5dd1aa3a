/**
 * The tenant's one supervisor: takes health snapshots, starts and restarts the gateway, has its state restored and backed
 * up, and feeds the health stream.
 * What it remembers (startup cache, restore status, back-off) is lost when it starts cold, as the spec has it.
 */
import { DurableObject } from "cloudflare:workers";
import type { BackupManifest } from "../contracts/backup.ts";
import {
  HEALTH_WS_POLL_INTERVAL_MS,
  type HealthSnapshot,
  PASSIVE_PROBE_TIMEOUT_MS,
} from "../contracts/health-snapshot.ts";
import type { StartAnswer } from "../contracts/sandbox.ts";
import { gatewayEnvironment, type TenantEnv } from "./env.ts";
import { observe } from "./observation.ts";
import { healthSnapshot, type Observation, StartupCache } from "./probes.ts";
import { sandboxOf } from "./sandbox-of.ts";
import type { SandboxPort } from "./sandbox-port.ts";
import { StartBackoff } from "./start-backoff.ts";
import { BackupRefused, type StateKeeper, StateNotReady } from "./state-keeper.ts";
import { stateKeeperOf } from "./state-keeper-of.ts";

/** Name of the one object a tenant has. */
export const SUPERVISOR_NAME = "gateway";

export type Mode = "active" | "passive";

/** How long a look may take when activating, in milliseconds. */
const ACTIVE_PROBE_TIMEOUT_MS = 10_000;
/** How long a snapshot waits for a start to get under way; a container may take longer to boot. */
const START_WAIT_MS = 5_000;

/** `work`, or `undefined` after `timeoutMs`. */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export class Supervisor extends DurableObject<TenantEnv> {
  readonly #sandbox: SandboxPort;
  readonly #startup = new StartupCache();
  readonly #backoff = new StartBackoff();
  readonly #keeper: StateKeeper;
  #starting: Promise<StartAnswer> | undefined;
  #restarting: Promise<StartAnswer> | undefined;
  readonly #shared = new Map<Mode, Promise<HealthSnapshot>>();

  constructor(ctx: DurableObjectState, env: TenantEnv) {
    super(ctx, env);
    this.#sandbox = sandboxOf(env);
    this.#keeper = stateKeeperOf(env, this.#sandbox);
  }

  /**
   * One snapshot. In active mode a gateway that does not run is started, its state restored before if need be, and a backup
   * is begun when one is due; in passive mode nothing is touched.
   */
  async snapshot(mode: Mode): Promise<HealthSnapshot> {
    const timeoutMs = mode === "passive" ? PASSIVE_PROBE_TIMEOUT_MS : ACTIVE_PROBE_TIMEOUT_MS;
    const restoring = within(timeoutMs, this.#keeper.status());
    const observed = await observe(this.#sandbox, timeoutMs);
    const observation = mode === "active" ? await this.#ensure(observed) : observed;
    const snapshot = healthSnapshot(observation, this.#startup, await restoring);
    if (snapshot.status === "running") this.#backoff.reset();
    if (snapshot.status === "running" && mode === "active") this.#backUpIfDue();
    return snapshot;
  }

  /** What a minute's tick does: a passive look, and a backup when the gateway runs and one is due. */
  async tick(): Promise<HealthSnapshot> {
    const snapshot = await this.snapshot("passive");
    if (snapshot.status === "running") this.#backUpIfDue();
    return snapshot;
  }

  /** Makes a backup now. */
  async backUp(): Promise<{ manifest: BackupManifest } | { refused: string }> {
    try {
      return { manifest: await this.#keeper.backUp() };
    } catch (error) {
      if (error instanceof BackupRefused) return { refused: error.message };
      throw error;
    }
  }

  /** Whether tenant traffic may pass now; starts the gateway when it does not run. Calls at one time share one look. */
  async admit(): Promise<boolean> {
    return (await this.#sharedSnapshot("active")).status === "running";
  }

  /** Clears the startup cache, ends the gateway and starts it again. Calls at one time share one restart. */
  async restart(): Promise<void> {
    this.#startup.clear();
    this.#backoff.reset();
    this.#restarting ??= this.#restart().finally(() => {
      this.#restarting = undefined;
    });
    await this.#restarting;
  }

  /** What became of backups and restores, then the last lines of the gateway's log, without its secrets. */
  async log(lines: number): Promise<string[]> {
    const { GATEWAY_TOKEN, AI_GATEWAY_API_KEY, CF_AIG_AUTHORIZATION } = this.env;
    const secrets = [GATEWAY_TOKEN, AI_GATEWAY_API_KEY, CF_AIG_AUTHORIZATION].filter((secret) => secret);
    const log = [...this.#keeper.notes, ...(await this.#sandbox.readLog(lines))];
    return log.map((line) => secrets.reduce((text, secret) => text.replaceAll(secret, "[secret]"), line));
  }

  /** Opens the health stream. */
  override async fetch(request: Request): Promise<Response> {
    const mode: Mode = new URL(request.url).searchParams.get("passive") === "1" ? "passive" : "active";
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, [mode]);
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Date.now() + HEALTH_WS_POLL_INTERVAL_MS);
    this.ctx.waitUntil(this.#send([server], mode));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Sends every listener the same snapshot; it activates when one of them asked for that. */
  override async alarm(): Promise<void> {
    const sockets = this.ctx.getWebSockets();
    if (sockets.length === 0) return;
    const next = Date.now() + HEALTH_WS_POLL_INTERVAL_MS;
    await this.#send(sockets, this.ctx.getWebSockets("active").length > 0 ? "active" : "passive");
    await this.ctx.storage.setAlarm(next);
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // 1005 and 1006 tell of a missing code and may not be sent.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }

  async #send(sockets: WebSocket[], mode: Mode): Promise<void> {
    try {
      const message = JSON.stringify(await this.#sharedSnapshot(mode));
      for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(message);
    } catch (error) {
      console.error(JSON.stringify({ event: "health-stream.failed", message: String(error) }));
    }
  }

  #sharedSnapshot(mode: Mode): Promise<HealthSnapshot> {
    const running = this.#shared.get(mode);
    if (running !== undefined) return running;
    const snapshot = this.snapshot(mode).finally(() => this.#shared.delete(mode));
    this.#shared.set(mode, snapshot);
    return snapshot;
  }

  /** Starts the gateway when the observation shows neither it nor a start, and puts the start into the observation. */
  async #ensure(observation: Observation): Promise<Observation> {
    const { processes } = observation;
    if (!processes.ok || processes.value.processes.length > 0) return observation;
    if (this.#starting === undefined && !this.#backoff.permits(Date.now())) return observation;
    try {
      const answer = await within(START_WAIT_MS, this.#start());
      if (answer === undefined) return observation;
      return { ...observation, processes: { ...processes, value: { processes: [answer.process] } } };
    } catch (error) {
      console.error(JSON.stringify({ event: "start.failed", message: String(error) }));
      const at = new Date().toISOString();
      const message = error instanceof StateNotReady ? error.message : "the sandbox could not run the startup script";
      const failed = { at, exitCode: null, message };
      return { ...observation, processes: { ...processes, value: { processes: [], failure: failed } } };
    }
  }

  #start(): Promise<StartAnswer> {
    if (this.#starting !== undefined) return this.#starting;
    this.#backoff.attempted(Date.now());
    const starting = this.#prepareAndStart().finally(() => {
      this.#starting = undefined;
    });
    this.#starting = starting;
    // Whoever waits may give up first; the start goes on.
    this.ctx.waitUntil(starting.catch(() => {}));
    return starting;
  }

  async #prepareAndStart(): Promise<StartAnswer> {
    const state = await this.#keeper.prepare();
    return this.#sandbox.start({ ...gatewayEnvironment(this.env), ...state });
  }

  #backUpIfDue(): void {
    const backup = this.#keeper.backUpIfDue();
    if (backup !== undefined) this.ctx.waitUntil(backup);
  }

  async #restart(): Promise<StartAnswer> {
    await this.#starting?.catch(() => {});
    await this.#sandbox.kill();
    return this.#start();
  }
}
