/**
 * The tenant's one supervisor: takes health snapshots, starts and restarts the gateway, has its state restored and backed
 * up, and feeds the health stream.
 * What it remembers (startup cache, restore status, back-off) is lost when it starts cold, as the spec has it.
 */
import { DurableObject } from "cloudflare:workers";
import type { BackupManifest, BackupReport } from "../contracts/backup.ts";
import { errorResponse } from "../contracts/errors.ts";
import {
  HEALTH_WS_POLL_INTERVAL_MS,
  type HealthSnapshot,
  PASSIVE_PROBE_TIMEOUT_MS,
} from "../contracts/health-snapshot.ts";
import type { SandboxActivity } from "../contracts/sandbox.ts";
import { within } from "../shared/within.ts";
import { BackupRefused, NothingToBackUp, type StateKeeper, StateNotReady } from "./backup/state-keeper.ts";
import { stateKeeperOf } from "./backup/state-keeper-of.ts";
import { bindingMs, gatewayEnvironment, type TenantEnv } from "./env.ts";
import { Hold } from "./gateway/hold.ts";
import { GatewayLifecycle } from "./gateway/lifecycle.ts";
import { TrafficGate } from "./gateway/traffic-gate.ts";
import { HangWatch, hanging } from "./health/hang-watch.ts";
import { listenerKind, PLACES } from "./health/listener-places.ts";
import { observe } from "./health/observation.ts";
import { healthSnapshot, type Observation, StartupCache } from "./health/probes.ts";
import type { AiUsagePoint } from "./metrics/ai-usage.ts";
import { UsageMeter } from "./metrics/usage-meter.ts";
import { sandboxOf } from "./sandbox/cloudflare.ts";
import type { SandboxPort } from "./sandbox/port.ts";
import { SleepSchedule } from "./sleep/schedule.ts";

export type Mode = "active" | "passive";

/** What was seen in one lookup; no activity while the sandbox sleeps or cannot be asked. */
export interface Look {
  snapshot: HealthSnapshot;
  activity?: SandboxActivity;
}

/** What became of a backup that was asked for; `empty` when there is no state. */
export type BackupOutcome = { manifest: BackupManifest } | { refused: string; empty: boolean };

/** What became of a restore that was asked for; `present` is the backup of the state before, if there was any. */
export type RestoreOutcome =
  | { restored: string; present?: BackupManifest }
  | { refused: string; missing?: never }
  | { missing: true; refused?: never };

/** How long a look may take when activating, in milliseconds. */
const ACTIVE_PROBE_TIMEOUT_MS = 10_000;
/** How long a snapshot waits for a start to get under way; a container may take longer to boot. */
const START_WAIT_MS = 5_000;

async function outcomeOf(backup: Promise<BackupManifest>): Promise<BackupOutcome> {
  try {
    return { manifest: await backup };
  } catch (error) {
    if (error instanceof BackupRefused) return { refused: error.message, empty: error instanceof NothingToBackUp };
    throw error;
  }
}

export class Supervisor extends DurableObject<TenantEnv> {
  readonly #sandbox: SandboxPort;
  readonly #startup = new StartupCache();
  readonly #meter: UsageMeter;
  readonly #keeper: StateKeeper;
  readonly #lifecycle: GatewayLifecycle;
  readonly #hold: Hold;
  readonly #gate: TrafficGate;
  readonly #hang: HangWatch;
  #recovering = false;
  /** Absent for a plan whose sandbox never sleeps. */
  readonly #sleep: SleepSchedule | undefined;
  readonly #shared = new Map<Mode, Promise<Look>>();

  constructor(ctx: DurableObjectState, env: TenantEnv) {
    super(ctx, env);
    this.#sandbox = sandboxOf(env);
    this.#gate = new TrafficGate(this.#sandbox);
    this.#hang = new HangWatch(ctx.storage, bindingMs("GATEWAY_HANG_SECONDS", env.GATEWAY_HANG_SECONDS));
    this.#meter = new UsageMeter({
      storage: ctx.storage,
      write: (point) => env.ANALYTICS.writeDataPoint(point),
      tenant: env.TENANT_SLUG,
      environment: env.ENVIRONMENT,
    });
    this.#keeper = stateKeeperOf(env, this.#sandbox, ctx.storage, this.#meter);
    this.#hold = new Hold(ctx.storage);
    this.#lifecycle = new GatewayLifecycle({
      sandbox: this.#sandbox,
      keeper: this.#keeper,
      storage: ctx.storage,
      environment: gatewayEnvironment(env),
      isAllowed: async () => !(await this.#hold.stands()),
      settled: async () => this.#sleep?.settled(true),
      shut: () => this.#gate.shut(),
      woken: async () => this.#sleep?.awake(),
      waitUntil: (work) => ctx.waitUntil(work),
    });
    const idleMs = bindingMs("SLEEP_AFTER_SECONDS", env.SLEEP_AFTER_SECONDS);
    if (idleMs !== undefined)
      this.#sleep = new SleepSchedule({
        storage: ctx.storage,
        sandbox: this.#sandbox,
        keeper: this.#keeper,
        idleMs,
        measure: () => this.#measure(),
        isStarting: () => this.#lifecycle.isBusy,
        start: () => void this.#lifecycle.start().catch(() => {}),
      });
  }

  /**
   * One snapshot. In active mode a gateway that does not run is started, its state restored before if need be, and a backup
   * is begun when one is due; in passive mode nothing is touched.
   */
  async snapshot(mode: Mode): Promise<HealthSnapshot> {
    if (mode === "active") await this.#hold.end();
    return (await this.#look(mode)).snapshot;
  }

  async #look(mode: Mode): Promise<Look> {
    if (mode === "active") await this.#sleep?.called();
    const wasRestarting = this.#lifecycle.isRestarting;
    const timeoutMs = mode === "passive" ? PASSIVE_PROBE_TIMEOUT_MS : ACTIVE_PROBE_TIMEOUT_MS;
    const restoring = within(timeoutMs, this.#keeper.status());
    const observed = await observe(this.#sandbox, timeoutMs);
    const activity = observed.processes.ok ? observed.processes.value.activity : undefined;
    if (activity !== undefined) await this.#sleep?.awake();
    const ensured = mode === "active" ? await this.#ensure(observed) : observed;
    const observation = { ...ensured, restarting: wasRestarting || this.#lifecycle.isRestarting };
    const snapshot = healthSnapshot(observation, this.#startup, await restoring);
    await this.#gate.seen(observation.at, snapshot.status === "running");
    const hungSince = await this.#hang.seen(observation);
    if (hungSince !== undefined) this.#recover(hungSince);
    if (snapshot.status === "running") this.#lifecycle.runs();
    if (snapshot.status === "running" && mode === "active") this.#backUpIfDue();
    return { snapshot, ...(activity === undefined ? {} : { activity }) };
  }

  /**
   * What a minute's tick does: a passive look, which is measured, and a backup when the gateway runs and one is due.
   *
   * @param scheduledTime the minute: ISO 8601 UTC
   */
  async tick(scheduledTime: string): Promise<Look> {
    const look = await this.#look("passive");
    this.#meter.tick(scheduledTime, look);
    if (look.snapshot.status === "running") this.#backUpIfDue();
    return look;
  }

  /** Counts queries to models. @returns how many points were left out */
  countAiUsage(points: AiUsagePoint[]): { left: number } {
    return this.#meter.countAiUsage(points);
  }

  /**
   * Makes a backup now.
   *
   * @param order `any` joins one that is under way; `anew` is not content with what began before
   */
  async backUp(order: "any" | "anew" = "any"): Promise<BackupOutcome> {
    await this.#sleep?.settled(false);
    try {
      return await outcomeOf(order === "anew" ? this.#keeper.backUpAnew() : this.#keeper.backUp());
    } finally {
      // Whoever orders one is about to end the container.
      if (order === "anew") await this.#measure();
    }
  }

  /** What there is of backups, and what is the matter with them. @throws when the bucket or the sandbox cannot be read */
  backups(): Promise<BackupReport> {
    return this.#keeper.report();
  }

  /** Takes the present state for the tenant's, which a backup of it then hides no other by, and backs it up. */
  async acceptState(): Promise<BackupOutcome> {
    await this.#sleep?.settled(false);
    return outcomeOf(this.#keeper.accept());
  }

  /**
   * Restores a chosen backup in place of the present state, which is backed up before.
   *
   * @param discardPresent goes on when that cannot be done
   */
  async restoreBackup(id: string, discardPresent: boolean): Promise<RestoreOutcome> {
    const { backups, damaged } = await this.#keeper.report();
    const reason = damaged.find((backup) => backup.id === id)?.reason;
    if (reason !== undefined) return { refused: `That backup is damaged: ${reason}.` };
    if (!backups.some((backup) => backup.id === id)) return { missing: true };
    try {
      await this.#keeper.verify(id);
      return await this.#replaceState(id, discardPresent);
    } catch (error) {
      if (error instanceof BackupRefused) return { refused: error.message };
      throw error;
    }
  }

  async #replaceState(id: string, discardPresent: boolean): Promise<RestoreOutcome> {
    await this.#sleep?.called();
    this.#startup.clear();
    let replaced: Promise<BackupManifest | undefined> | undefined;
    const restart = this.#lifecycle.restart(async () => {
      await this.#sandbox.kill();
      await this.#measure();
      replaced = this.#keeper.replace(id, discardPresent);
      // Whatever becomes of it, the gateway is started again.
      await replaced.catch(() => {});
    });
    // A start that fails is told in the snapshot, and tried again.
    await restart.catch(() => {});
    if (replaced === undefined) return { refused: "A restart is under way; try again when the gateway runs." };
    const present = await replaced;
    return { restored: id, ...(present && { present }) };
  }

  /** Whether tenant traffic may pass now; starts the gateway when it does not run. Calls at one time share one look. */
  async admit(): Promise<boolean> {
    await this.#hold.end();
    const { snapshot } = await this.#sharedLook("active");
    return snapshot.status === "running" && this.#gate.admit(new Date(snapshot.ts));
  }

  /** Clears the startup cache, ends the gateway and starts it again. Calls at one time share one restart. */
  async restart(): Promise<void> {
    await this.#hold.end();
    await this.#sleep?.called();
    this.#startup.clear();
    await this.#keeper.retryRestore();
    await this.#lifecycle.restart();
  }

  /**
   * Ends every WebSocket, stream and health listener at once.
   *
   * @param routable whether the tenant may be reached; if not, nothing starts its gateway until a call reaches it that may
   */
  async cut(routable: boolean): Promise<void> {
    await (routable ? this.#hold.end() : this.#hold.begin());
    for (const socket of this.ctx.getWebSockets()) socket.close(1012, "open the stream again");
    await this.#sandbox.cut();
  }

  /** Sees to it that the sandbox sleeps when it is idle, should the alarm for that be lost. */
  async checkSleep(): Promise<void> {
    await this.#sleep?.remind();
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
    if (mode === "active") await this.#hold.end();
    const kind = listenerKind(request.headers);
    if (this.ctx.getWebSockets(kind).length >= PLACES) {
      const message = `This tenant's health stream has ${PLACES} listeners of your kind already; poll /api/health, or try again later.`;
      return errorResponse("tenant_unavailable", message, { headers: { "retry-after": "30" } });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, [mode, kind]);
    const next = Date.now() + HEALTH_WS_POLL_INTERVAL_MS;
    const alarm = await this.ctx.storage.getAlarm();
    if (alarm === null || alarm > next) await this.ctx.storage.setAlarm(next);
    this.ctx.waitUntil(this.#send([server], mode));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Serves the health stream, and puts the sandbox to sleep when it is time. */
  override async alarm(): Promise<void> {
    // Set first: what this object does not bring to its end, it takes up again.
    await this.ctx.storage.setAlarm(Date.now() + HEALTH_WS_POLL_INTERVAL_MS);
    const look = await this.#broadcast();
    const checked = Promise.resolve(this.#sleep?.check(look)).then((wait) => ({ wait }));
    let done: { wait: number | undefined } | undefined;
    while (done === undefined) {
      done = await within(HEALTH_WS_POLL_INTERVAL_MS, checked);
      if (done === undefined) await this.#broadcast();
    }
    if (this.ctx.getWebSockets().length > 0) return;
    if (done.wait === undefined) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Date.now() + done.wait);
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // 1005 and 1006 tell of a missing code and may not be sent.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }

  /** Sends every listener the same snapshot; it activates when one of them asked for that. */
  async #broadcast(): Promise<Look | undefined> {
    const sockets = this.ctx.getWebSockets();
    if (sockets.length === 0) return undefined;
    return this.#send(sockets, this.ctx.getWebSockets("active").length > 0 ? "active" : "passive");
  }

  async #send(sockets: WebSocket[], mode: Mode): Promise<Look | undefined> {
    try {
      const look = await this.#sharedLook(mode);
      const message = JSON.stringify(look.snapshot);
      for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(message);
      return look;
    } catch (error) {
      console.error(JSON.stringify({ event: "health-stream.failed", message: String(error) }));
      return undefined;
    }
  }

  #sharedLook(mode: Mode): Promise<Look> {
    const running = this.#shared.get(mode);
    if (running !== undefined) return running;
    const look = this.#look(mode).finally(() => this.#shared.delete(mode));
    this.#shared.set(mode, look);
    return look;
  }

  /** Starts the gateway when the observation shows neither it nor a start, and puts the start into the observation. */
  async #ensure(observation: Observation): Promise<Observation> {
    const { processes } = observation;
    if (!processes.ok) return observation;
    if (processes.value.processes.length > 0) {
      if (await this.#lifecycle.renew()) this.#startup.clear();
      return observation;
    }
    if (!this.#lifecycle.mayStart) return observation;
    try {
      const answer = await within(START_WAIT_MS, this.#lifecycle.start());
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

  /** Begins to restart a gateway that hangs, whoever noticed: its process runs, so nothing is started that was stopped. */
  #recover(since: Date): void {
    if (this.#recovering || this.#lifecycle.isBusy) return;
    this.#recovering = true;
    const recovered = this.#restartHung(since)
      .catch((error) => this.#keeper.note("gateway.hung", { failed: String(error) }))
      .finally(() => {
        this.#recovering = false;
      });
    this.ctx.waitUntil(recovered);
  }

  async #restartHung(since: Date): Promise<void> {
    // A passive look gives up early: a gateway that is merely slow has more time here.
    const process = hanging(await observe(this.#sandbox, ACTIVE_PROBE_TIMEOUT_MS));
    if (process === undefined || this.#lifecycle.isBusy) return;
    this.#keeper.note("gateway.hung", { process, since: since.toISOString() });
    await this.#hang.restarted();
    this.#startup.clear();
    await this.#lifecycle.restart();
  }

  /** Measures what this waking used so far. */
  async #measure(): Promise<void> {
    const look = await this.#sandbox.listProcesses(AbortSignal.timeout(ACTIVE_PROBE_TIMEOUT_MS)).catch(() => undefined);
    if (look?.activity !== undefined) this.#meter.record(look.activity);
  }

  #backUpIfDue(): void {
    const backup = this.#keeper.backUpIfDue();
    if (backup !== undefined) this.ctx.waitUntil(backup);
  }
}
