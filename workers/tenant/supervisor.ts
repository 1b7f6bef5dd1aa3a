/**
 * The tenant's one supervisor: takes health snapshots, starts and restarts the gateway, has its state restored and backed
 * up, and feeds the health stream.
 * What it remembers (startup cache, restore status, back-off) is lost when it starts cold, as the spec has it.
 */

import { DurableObject } from "cloudflare:workers";
import { within } from "@tenantry/std/within";
import type { JWK } from "jose";
import type { AiQuery } from "#workers/contracts/ai-usage.ts";
import type { BackupReport, RestoreOrder } from "#workers/contracts/backup.ts";
import {
  GATEWAY_PORT,
  HEALTH_WS_POLL_INTERVAL_MS,
  type HealthSnapshot,
  PASSIVE_PROBE_TIMEOUT_MS,
} from "#workers/contracts/health-snapshot.ts";
import { TICKET_KEY_PATH } from "#workers/contracts/platform-headers.ts";
import type { SandboxActivity } from "#workers/contracts/sandbox.ts";
import { bundleHash, type SandboxStatus, type SleepStatus } from "#workers/contracts/sandbox-status.ts";
import { log } from "#workers/shared/log.ts";
import { Alarm } from "./alarm.ts";
import { LastBackup } from "./backup/last-backup.ts";
import { type BackupOutcome, outcomeOf, type RestoreOutcome } from "./backup/outcome.ts";
import { ChosenRestore } from "./backup/restore/chosen-restore.ts";
import type { StateKeeper } from "./backup/state-keeper.ts";
import { StateNotReady } from "./backup/state-not-ready.ts";
import { stateKeeperOf } from "./backup/tenant-keeper.ts";
import { bindingMs, positiveBinding, type TenantEnv } from "./env.ts";
import { GatewayEnds } from "./gateway/process/ends.ts";
import { gatewayEnvironment, gatewaySecrets } from "./gateway/process/environment.ts";
import { Hold } from "./gateway/process/hold.ts";
import { GatewayLifecycle } from "./gateway/process/lifecycle.ts";
import { TrafficGate } from "./gateway/process/traffic-gate.ts";
import { TicketKey } from "./gateway/tickets/ticket-key.ts";
import { HangRecovery } from "./health/hang-recovery.ts";
import { HangWatch } from "./health/hang-watch.ts";
import { type Look, type Mode, modeOf } from "./health/look.ts";
import { type Observation, observe } from "./health/observation.ts";
import { healthSnapshot } from "./health/snapshot.ts";
import { StartupCache } from "./health/startup-cache.ts";
import { HealthStream } from "./health/stream.ts";
import type { AiUsagePoint } from "./metrics/ai-usage.ts";
import { UsageMeter } from "./metrics/usage-meter.ts";
import { sandboxOf } from "./sandbox/cloudflare.ts";
import type { SandboxPort } from "./sandbox/port.ts";
import { Scarcity, warningsOf } from "./sandbox/scarcity.ts";
import { SleepSchedule } from "./sleep/schedule.ts";
import type { SupervisorCalls } from "./supervisor-calls.ts";

/** How long a look may take when activating, in milliseconds. */
const ACTIVE_PROBE_TIMEOUT_MS = 10_000;
/** How long a snapshot waits for a start to get under way; a container may take longer to boot. */
const START_WAIT_MS = 5_000;

export class Supervisor extends DurableObject<TenantEnv> implements SupervisorCalls {
  readonly #sandbox: SandboxPort;
  readonly #alarm: Alarm;
  readonly #startup = new StartupCache();
  readonly #meter: UsageMeter;
  readonly #keeper: StateKeeper;
  readonly #lifecycle: GatewayLifecycle;
  readonly #ends: GatewayEnds;
  readonly #hold: Hold;
  readonly #gate: TrafficGate;
  readonly #ticketKey: TicketKey;
  readonly #recovery: HangRecovery;
  readonly #restore: ChosenRestore;
  readonly #lastBackup: LastBackup;
  readonly #scarcity: Scarcity;
  readonly #stream: HealthStream;
  /** Absent for a plan whose sandbox never sleeps. */
  readonly #sleep: SleepSchedule | undefined;
  /** Process of a gateway that does not know how to replace its ticket key. */
  #withoutKeyOrder: string | undefined;
  readonly #shared = new Map<Mode, Promise<Look>>();

  constructor(ctx: DurableObjectState, env: TenantEnv) {
    super(ctx, env);
    const sandbox = sandboxOf(env);
    this.#alarm = new Alarm(ctx.storage);
    this.#ends = new GatewayEnds({ storage: ctx.storage, sandbox, mask: (text) => this.#mask(text) });
    this.#sandbox = {
      ...sandbox,
      kill: async (idleMs) => {
        const isEnded = await sandbox.kill(idleMs);
        if (isEnded) await this.#ends.ordered();
        return isEnded;
      },
    };
    this.#gate = new TrafficGate(this.#sandbox);
    this.#meter = new UsageMeter({
      storage: ctx.storage,
      write: (point) => env.ANALYTICS.writeDataPoint(point),
      tenant: env.TENANT_SLUG,
      environment: env.ENVIRONMENT,
    });
    this.#keeper = stateKeeperOf(env, this.#sandbox, ctx.storage, this.#meter);
    this.#scarcity = new Scarcity(ctx.storage, (event, details) => this.#keeper.note(event, details));
    this.#hold = new Hold(ctx.storage);
    this.#ticketKey = new TicketKey({
      storage: ctx.storage,
      tenant: env.TENANT_SLUG,
      token: env.GATEWAY_TOKEN,
      version: positiveBinding("TICKET_KEY_VERSION", env.TICKET_KEY_VERSION),
    });
    this.#lifecycle = new GatewayLifecycle({
      sandbox: this.#sandbox,
      keeper: this.#keeper,
      storage: ctx.storage,
      environment: gatewayEnvironment(env),
      starting: (start) => this.#ticketKey.starting(start),
      isAllowed: async () => !(await this.#hold.stands()),
      settled: async () => this.#sleep?.settled(true),
      starts: () => this.#ends.starts(),
      shut: () => this.#gate.shut(),
      woken: async () => this.#sleep?.awake(),
      waitUntil: (work) => ctx.waitUntil(work),
    });
    this.#recovery = new HangRecovery({
      watch: new HangWatch(ctx.storage, bindingMs("GATEWAY_HANG_SECONDS", env.GATEWAY_HANG_SECONDS)),
      look: () => observe(this.#sandbox, ACTIVE_PROBE_TIMEOUT_MS),
      isBusy: () => this.#lifecycle.isBusy,
      restart: () => this.#restartAnew(),
      hung: (process, since) => this.#ends.hung(process, since),
      note: (event, details) => this.#keeper.note(event, details),
      waitUntil: (work) => ctx.waitUntil(work),
    });
    this.#restore = new ChosenRestore({
      keeper: this.#keeper,
      restart: async (meanwhile) => {
        await this.#sleep?.called();
        await this.#restartAnew(async () => {
          await this.#sandbox.kill();
          await this.#measure();
          await meanwhile();
        });
      },
    });
    this.#lastBackup = new LastBackup({
      keeper: this.#keeper,
      isEnding: async () =>
        (await this.#sandbox.listProcesses(AbortSignal.timeout(ACTIVE_PROBE_TIMEOUT_MS))).ending === true,
      isBusy: () => this.#lifecycle.isBusy,
      end: async () => {
        await this.#sandbox.kill();
        await this.#measure();
      },
      letGo: () => this.#sandbox.sleep(),
      restart: (before) => this.#restartAnew(before),
      waitUntil: (work) => ctx.waitUntil(work),
    });
    this.#stream = new HealthStream({
      ctx,
      look: (mode) => this.#sharedLook(mode),
      opened: () => this.#alarm.within(HEALTH_WS_POLL_INTERVAL_MS),
    });
    const idleMs = bindingMs("SLEEP_AFTER_SECONDS", env.SLEEP_AFTER_SECONDS);
    if (idleMs !== undefined)
      this.#sleep = new SleepSchedule({
        storage: ctx.storage,
        sandbox: this.#sandbox,
        keeper: this.#keeper,
        idleMs,
        sleepsWithChannels: env.SLEEP_WITH_CHANNELS === "1",
        leadMs: bindingMs("WAKE_LEAD_SECONDS", env.WAKE_LEAD_SECONDS),
        ringWithin: (ms) => this.#alarm.within(ms),
        isHeld: () => this.#hold.stands(),
        measure: () => this.#measure(),
        isStarting: () => this.#lifecycle.isBusy,
        start: () => void this.#lifecycle.start().catch(() => {}),
      });
  }

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
    const { activity, resources } = observed.processes.ok ? observed.processes.value : {};
    if (activity !== undefined) await this.#sleep?.awake();
    if (resources !== undefined) await this.#scarcity.seen(resources);
    if (observed.processes.ok) {
      const { ending = false, processes } = observed.processes.value;
      // Before any traffic passes, whose traces an upgrade that is not over would not keep.
      await this.#keeper.seen(observed.processes.value, observed.at);
      this.#lastBackup.seen(ending, processes.length > 0);
    }
    const ensured = mode === "active" ? await this.#ensure(observed) : observed;
    const observation = { ...ensured, restarting: wasRestarting || this.#lifecycle.isRestarting };
    const snapshot = healthSnapshot(observation, this.#startup, await restoring);
    await this.#gate.seen(observation.at, snapshot.status === "running");
    await this.#recovery.seen(observation);
    if (snapshot.status === "running") this.#lifecycle.runs();
    if (snapshot.status === "running" && snapshot.processId) await this.#ends.runs(snapshot.processId, observation.at);
    if (snapshot.status === "running" && snapshot.processId && !observation.restarting)
      this.ctx.waitUntil(this.#replaceTicketKey(snapshot.processId));
    if (snapshot.status === "running" && mode === "active") this.#backUpIfDue();
    return { snapshot, ...(activity && { activity }), ...(resources && { resources }) };
  }

  async tick(scheduledTime: string): Promise<Look> {
    const look = await this.#look("passive");
    this.#meter.tick(scheduledTime, look);
    if (look.snapshot.status === "running") this.#backUpIfDue();
    return look;
  }

  countAiUsage(points: AiUsagePoint[]): { left: number } {
    return this.#meter.countAiUsage(points);
  }

  countAiQueries(queries: AiQuery[]): void {
    this.#meter.countAiQueries(queries);
  }

  async backUp(order: "any" | "anew" = "any"): Promise<BackupOutcome> {
    await this.#sleep?.settled(false);
    try {
      return await outcomeOf(this.#keeper.backUp());
    } finally {
      // Whoever orders one is about to end the container.
      if (order === "anew") await this.#measure();
    }
  }

  backups(): Promise<BackupReport> {
    return this.#keeper.report();
  }

  async acceptState(): Promise<BackupOutcome> {
    await this.#sleep?.settled(false);
    return outcomeOf(this.#keeper.accept());
  }

  async restoreBackup({ backup, discardPresent, order }: RestoreOrder): Promise<RestoreOutcome> {
    // Its image is asked first.
    await this.#sleep?.called();
    await this.#sleep?.settled(true);
    return this.#restore.restore({ id: backup, discardPresent, order: order ?? crypto.randomUUID() });
  }

  async admit(): Promise<boolean> {
    await this.#hold.end();
    const { snapshot } = await this.#sharedLook("active");
    return snapshot.status === "running" && this.#gate.admit(new Date(snapshot.ts));
  }

  async restart(): Promise<void> {
    await this.#hold.end();
    await this.#sleep?.called();
    this.#startup.clear();
    await this.#keeper.retryRestore();
    await this.#lifecycle.restart();
  }

  async cut(routable: boolean): Promise<void> {
    await (routable ? this.#hold.end() : this.#hold.begin());
    this.#stream.cut();
    await this.#sandbox.cut();
  }

  async status(): Promise<SandboxStatus> {
    const at = new Date();
    const ts = at.toISOString();
    const told = await this.#versions();
    try {
      const list = await this.#sandbox.listProcesses(AbortSignal.timeout(PASSIVE_PROBE_TIMEOUT_MS));
      const { activity, ending, resources = {} } = list;
      await this.#keeper.seen(list, at);
      const sandbox = ending ? "ending" : activity ? "awake" : "asleep";
      return {
        ts,
        sandbox,
        ...told,
        ...resources,
        sleep: await this.#sleepStatus(activity),
        ...(await this.#keeper.hindrance()),
        warnings: warningsOf(resources),
      };
    } catch {
      return { ts, sandbox: "unknown", ...told, ...(await this.#keeper.hindrance()), warnings: [] };
    }
  }

  ticketKey(): Promise<JWK> {
    return this.#ticketKey.jwk();
  }

  async log(lines: number): Promise<string[]> {
    // Both begin with their time.
    const noted = [...(await this.#ends.lines()), ...this.#keeper.notes].sort();
    return [...noted, ...(await this.#sandbox.readLog(lines))].map((line) => this.#mask(line));
  }

  override async fetch(request: Request): Promise<Response> {
    if (modeOf(request.url) === "active") await this.#hold.end();
    return this.#stream.open(request);
  }

  /** Serves the health stream, and puts the sandbox to sleep or wakes it when it is time. */
  override async alarm(): Promise<void> {
    // Set first: what this object does not bring to its end, it takes up again.
    await this.#alarm.next(HEALTH_WS_POLL_INTERVAL_MS);
    const look = await this.#stream.broadcast();
    const checked = Promise.resolve(this.#sleep?.check(look)).then((wait) => ({ wait }));
    let done: { wait: number | undefined } | undefined;
    while (done === undefined) {
      done = await within(HEALTH_WS_POLL_INTERVAL_MS, checked);
      if (done === undefined) await this.#stream.broadcast();
    }
    await this.#alarm.next(this.#stream.hasListeners ? HEALTH_WS_POLL_INTERVAL_MS : undefined, done.wait);
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // 1005 and 1006 tell of a missing code and may not be sent.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
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
      log("error", "start.failed", { message: String(error) });
      const at = new Date().toISOString();
      const message = error instanceof StateNotReady ? error.message : "the sandbox could not run the startup script";
      const failed = { at, exitCode: null, message };
      return { ...observation, processes: { ...processes, value: { processes: [], failure: failed } } };
    }
  }

  /** Restarts the gateway, whose startup counts from the beginning. @param before what is to be done first */
  #restartAnew(before?: () => Promise<unknown>): Promise<unknown> {
    this.#startup.clear();
    return this.#lifecycle.restart(before);
  }

  /** Replaces the ticket key of the gateway that runs, where a rotation has begun. @param gateway its process */
  async #replaceTicketKey(gateway: string): Promise<void> {
    if (gateway === this.#withoutKeyOrder) return;
    try {
      const outcome = await this.#ticketKey.handOver((order) =>
        this.#sandbox.post(GATEWAY_PORT, TICKET_KEY_PATH, order, AbortSignal.timeout(ACTIVE_PROBE_TIMEOUT_MS)),
      );
      if (outcome === "none") return;
      this.#keeper.note(`ticket-key.${outcome}`, {});
      if (outcome === "unknown") this.#withoutKeyOrder = gateway;
      // Somebody else holds the key in use; a restart replaces it too.
      if (outcome === "refused") await this.#restartAnew(() => this.#keeper.backUp().catch(() => {}));
    } catch (error) {
      log("error", "ticket-key.not-replaced", { message: String(error) });
    }
  }

  /** @param activity undefined while the sandbox sleeps */
  async #sleepStatus(activity: SandboxActivity | undefined): Promise<SleepStatus> {
    const { keptAwake, ...told } = (await this.#sleep?.status(activity)) ?? {};
    // Its gateway's own words may hold anything.
    return { ...told, ...(keptAwake && { keptAwake: { ...keptAwake, details: this.#mask(keptAwake.details) } }) };
  }

  /** A text without the gateway's secrets. */
  #mask(text: string): string {
    return gatewaySecrets(this.env).reduce((masked, secret) => masked.replaceAll(secret, "[secret]"), text);
  }

  /** Which gateway the image told last, and which Worker this is. */
  async #versions(): Promise<Pick<SandboxStatus, "gateway" | "worker">> {
    const gateway = await this.#keeper.gateway();
    const worker = bundleHash.safeParse(this.env.BUNDLE_HASH);
    return { ...(gateway && { gateway }), ...(worker.success && { worker: worker.data }) };
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
