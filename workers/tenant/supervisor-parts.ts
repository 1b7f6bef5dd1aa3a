/** Creates the objects that the supervisor delegates to. */
import type { Requester } from "#workers/contracts/tenant/backup.ts";
import type { ChannelsOrder } from "#workers/contracts/tenant/channels.ts";
import { HEALTH_WS_POLL_INTERVAL_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import { Alarm } from "./alarm.ts";
import { handleAlarm } from "./alarm-handler.ts";
import { BackupControl } from "./backup/control.ts";
import { LastBackup } from "./backup/last-backup.ts";
import { ChosenRestore } from "./backup/restore/chosen-restore.ts";
import { UnexpectedRestores } from "./backup/restore/unexpected-restores.ts";
import { tenantStateOf } from "./backup/tenant-state.ts";
import { ConnectedChannels } from "./channels/connected-channels.ts";
import { SocketChannels } from "./channels/socket-channels.ts";
import { DeviceWatch } from "./devices/device-watch.ts";
import { Devices } from "./devices/devices.ts";
import { NewDevices } from "./devices/new-devices.ts";
import { Doctor } from "./doctor/doctor.ts";
import { egressBoundOf } from "./egress/bound.ts";
import { EgressControl } from "./egress/control.ts";
import { HostStore } from "./egress/host-store.ts";
import { StoredEgress } from "./egress/stored-egress.ts";
import { bindingMs, positiveBinding, type TenantEnv } from "./env.ts";
import { EventLog } from "./event-log.ts";
import { StateFiles } from "./files/state-files.ts";
import { LastCut } from "./gateway/last-cut.ts";
import { ensureGateway } from "./gateway/process/activation.ts";
import { GatewayEnds } from "./gateway/process/ends.ts";
import { EnvironmentMark, gatewayEnvironment, gatewaySecrets } from "./gateway/process/environment.ts";
import { Hold } from "./gateway/process/hold.ts";
import { GatewayLifecycle, StartFailed } from "./gateway/process/lifecycle.ts";
import { recordingKills } from "./gateway/process/recorded-kills.ts";
import { startGateway } from "./gateway/process/start.ts";
import { TrafficGate } from "./gateway/process/traffic-gate.ts";
import { TicketKeyRotation } from "./gateway/tickets/rotation.ts";
import { TicketKey } from "./gateway/tickets/ticket-key.ts";
import type { HealthCheck } from "./health/check.ts";
import { HangRecovery } from "./health/hang-recovery.ts";
import { HangWatch } from "./health/hang-watch.ts";
import { ACTIVE_PROBE_TIMEOUT_MS, observe } from "./health/observation.ts";
import { HealthService } from "./health/service.ts";
import { StartupCache } from "./health/startup-cache.ts";
import type { Readiness } from "./inbox/drain.ts";
import type { Inbox } from "./inbox/inbox.ts";
import { tenantInboxOf } from "./inbox/tenant-inbox.ts";
import { endGateway, measureContainer } from "./metrics/container-use.ts";
import { UsageMeter } from "./metrics/usage-meter.ts";
import { StoredProviderKeys } from "./model-calls/own-keys/stored-keys.ts";
import { gatewayLog, sandboxStatus } from "./sandbox/report.ts";
import { sandboxOf } from "./sandbox/sandbox.ts";
import { Scarcity } from "./sandbox/scarcity.ts";
import type { SleepControl } from "./sleep/control.ts";
import { tenantSleepOf } from "./sleep/tenant-sleep.ts";

type Parts = ReturnType<typeof gatewayParts>;

export function supervisorPartsOf(ctx: DurableObjectState, env: TenantEnv) {
  // The inbox uses the health service, which is created below.
  const parts = gatewayParts(ctx, env, () => checkReady());
  const { sandbox, hold, gate, sleep, startup, state, ticketKey, lifecycle, usage, ends, events, mask, alarm, inbox } =
    parts;
  const health = healthService(ctx, env, parts);
  const controls = controlsOf(ctx, parts);
  /** Returns whether the gateway accepts traffic. Starts a stopped gateway. */
  const checkReady = async (): Promise<Readiness> => {
    const { snapshot } = await health.sharedCheck("active");
    if (snapshot.status === "running") return (await gate.admit(new Date(snapshot.ts))) ? "ready" : "starting";
    return snapshot.status === "starting" || lifecycle.isBusy ? "starting" : "stopped";
  };
  return {
    hold,
    lastCut: parts.lastCut,
    admit: async () => (await checkReady()) === "ready",
    /** Ends a hold for a request, unless its tenant and user were read before the last cut. */
    endHold: async (admittedAt: number | undefined) => {
      if ((await parts.lastCut.after(admittedAt)) === undefined) await hold.end();
    },
    cut: async (routable: boolean) => {
      const at = await parts.lastCut.record();
      await (routable ? hold.end() : hold.begin());
      health.stream.cut();
      await sandbox.cut(at);
    },
    inbox,
    sleep,
    ticketKey,
    health,
    providerKeys: parts.providerKeys,
    egress: parts.egress,
    usage,
    maker: state.maker,
    backupReport: state.report,
    lastImage: () => state.image.lastReported(),
    hasFailedBackup: () => state.troubles.isOfBackup(),
    unexpectedRestores: () => parts.unexpected.recent(),
    ...controls,
    /** Replaces the connected channels. A gateway with others restarts. A repeated order continues one that ended after the channels were stored. */
    setChannels: async (order: ChannelsOrder) => {
      if (await parts.channels.replace(order.channels)) {
        await parts.sockets.forget();
        parts.environmentMark.recordChange();
      } else if (!(await parts.environmentMark.isOutdated())) return;
      if (!(await hold.isActive())) parts.waitUntil(health.check("active").catch(() => {}));
    },
    measureChannels: async ({ snapshot }: HealthCheck) =>
      parts.usage.measureChannels(await parts.sockets.failed(snapshot.status === "running")),
    /** Starts a stopped gateway whose new plan keeps its socket channels connected. */
    followPlan: async () => {
      if (await hold.isActive()) return;
      const keepsAwake = env.SLEEP_WITH_CHANNELS !== "1";
      await parts.sockets.follow(keepsAwake, () => health.check("active")).catch(() => {});
    },
    /** Starts a stopped gateway that may owe an answer to a message. */
    revive: async ({ activity }: HealthCheck) => {
      const isOwing = !lifecycle.isBusy && inbox.mayBeUnanswered(activity !== undefined);
      if (isOwing && !(await hold.isActive())) await health.check("active").catch(() => {});
    },
    /** Restarts the gateway for an administrator. The next active health check retries a failed start. */
    restart: async () => {
      await hold.end();
      await sleep.recordCall();
      startup.clear();
      await state.pendingRestore.retry();
      await lifecycle.restart().catch((error) => {
        if (!(error instanceof StartFailed)) throw error;
        parts.events.record("restart.start-failed", { message: mask(error.message) });
      });
      await inbox.resume();
    },
    status: () =>
      sandboxStatus({ sandbox, ...state, sleep, inbox, sockets: parts.sockets, mask, bundle: env.BUNDLE_HASH }),
    log: (lines: number) => gatewayLog({ sandbox, ends, events, mask }, lines),
    handleAlarm: () => handleAlarm({ alarm, stream: health.stream, sleep, inbox }),
  };
}

/** @param checkReady as in `DrainOptions` */
function gatewayParts(ctx: DurableObjectState, env: TenantEnv, checkReady: () => Promise<Readiness>) {
  const { storage } = ctx;
  const channels = new ConnectedChannels(storage);
  const providerKeys = new StoredProviderKeys(storage);
  const storedEgress = new StoredEgress(storage);
  void ctx.blockConcurrencyWhile(
    async () => void (await Promise.all([channels.load(), providerKeys.load(), storedEgress.load()])),
  );
  const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
  /** Removes the gateway's secrets from a text. */
  const mask = (text: string) =>
    [...gatewaySecrets(env), ...channels.secrets, ...providerKeys.secrets, ...storedEgress.secrets].reduce(
      (masked, secret) => masked.replaceAll(secret, "[secret]"),
      text,
    );
  const plain = sandboxOf(env);
  const sockets = new SocketChannels({ storage, sandbox: plain, connected: () => channels.current, mask, waitUntil });
  const unexpected = new UnexpectedRestores(storage);
  const ends = new GatewayEnds({ storage, sandbox: plain, mask, onUnordered: (end) => unexpected.recordEnd(end) });
  const sandbox = recordingKills(plain, ends);
  const usage = new UsageMeter({
    storage,
    write: (point) => env.ANALYTICS.writeDataPoint(point),
    tenant: env.TENANT_SLUG,
    environment: env.ENVIRONMENT,
  });
  const events = new EventLog();
  const { record } = events;
  const egress = new EgressControl({
    stored: storedEgress,
    hosts: new HostStore(storage),
    bound: () => egressBoundOf(env),
    sandbox: plain,
    record,
    meter: usage,
  });
  const state = tenantStateOf({
    env,
    sandbox,
    storage,
    meter: usage,
    unexpected,
    record,
    onBackup: (began) => inbox.recordBackup(began),
    onStateLost: (from) => inbox.recordLostState(from),
  });
  const hold = new Hold(storage, () => inbox.resume());
  const alarm = new Alarm(storage);
  const ticketKey = new TicketKey({
    storage,
    tenant: env.TENANT_SLUG,
    token: env.GATEWAY_TOKEN,
    version: positiveBinding("TICKET_KEY_VERSION", env.TICKET_KEY_VERSION),
  });
  const lastCut = new LastCut(storage);
  const gate = new TrafficGate(sandbox, lastCut);
  const startup = new StartupCache();
  const environmentMark = new EnvironmentMark(storage, () => gatewayEnvironment(env, channels.current));
  const sleep: SleepControl = tenantSleepOf({
    env,
    storage,
    sandbox,
    maker: state.maker,
    forgetStatus: () => state.status.forget(),
    measure: () => measureContainer(sandbox, usage),
    // The lifecycle waits for the sleep, so it is created below.
    gateway: {
      get isBusy() {
        return lifecycle.isBusy;
      },
      start: () => void lifecycle.start().catch(() => {}),
    },
    pendingMessages: () => inbox.pending(),
    isHeld: () => hold.isActive(),
    recordReport: (work) => sockets.record(work),
    ringWithin: (ms) => alarm.ringWithin(ms),
    record,
  });
  const { prepareStart: prepareState, upgrade } = state;
  const gatewayStart = {
    hold,
    sleep,
    ends,
    prepareState,
    upgrade,
    gate,
    sandbox,
    ticketKey,
    environmentMark,
  };
  const start = () => startGateway(gatewayStart);
  const lifecycle: GatewayLifecycle = new GatewayLifecycle({ sandbox, start, sleep, startup, waitUntil });
  const inbox: Inbox = tenantInboxOf({
    env,
    storage,
    sandbox,
    gateway: lifecycle,
    ends,
    meter: usage,
    isHeld: () => hold.isActive(),
    checkReady,
    ringWithin: (ms) => alarm.ringWithin(ms),
    record,
    waitUntil,
  });
  return {
    inbox,
    sandbox,
    channels,
    providerKeys,
    egress,
    sockets,
    ends,
    unexpected,
    events,
    usage,
    state,
    hold,
    lastCut,
    alarm,
    mask,
    waitUntil,
    sleep,
    gate,
    startup,
    environmentMark,
    lifecycle,
    ticketKey,
  };
}

function healthService(ctx: DurableObjectState, env: TenantEnv, parts: Parts): HealthService {
  const { sandbox, ends, state, sleep, gate, startup, environmentMark, lifecycle, ticketKey, alarm, waitUntil } = parts;
  const { record } = parts.events;
  const { maker } = state;
  const activation = { lifecycle, environmentMark, maker, record, waitUntil };
  const recovery = new HangRecovery({
    watch: new HangWatch(ctx.storage, bindingMs("GATEWAY_HANG_SECONDS", env.GATEWAY_HANG_SECONDS)),
    observe: () => observe(sandbox, ACTIVE_PROBE_TIMEOUT_MS),
    lifecycle,
    ends,
    record,
    waitUntil,
  });
  return new HealthService({
    ctx,
    sandbox,
    startup,
    restoreStatus: () => state.status.get(),
    ensureGateway: (observation) => ensureGateway(activation, observation),
    reactions: {
      sleep,
      scarcity: new Scarcity(ctx.storage, record),
      upgrade: state.upgrade,
      lastBackup: lastBackup(parts),
      gate,
      recovery,
      lifecycle,
      ends,
      rotation: new TicketKeyRotation({ key: ticketKey, sandbox, lifecycle, maker, record, waitUntil }),
    },
    onOpen: () => alarm.ringWithin(HEALTH_WS_POLL_INTERVAL_MS),
    backUpIfDue: () => waitUntil(maker.backUpIfDue()),
  });
}

function lastBackup({ sandbox, events, state, usage, lifecycle, waitUntil }: Parts): LastBackup {
  return new LastBackup({
    maker: state.maker,
    container: {
      isEnding: async () => (await sandbox.listProcesses(AbortSignal.timeout(ACTIVE_PROBE_TIMEOUT_MS))).ending === true,
      endGateway: () => endGateway(sandbox, usage),
      release: () => sandbox.sleep(),
    },
    gateway: lifecycle,
    forgetStatus: () => state.status.forget(),
    record: events.record,
    waitUntil,
  });
}

/** What an administrator orders that ends the gateway. */
function controlsOf({ storage }: DurableObjectState, parts: Parts) {
  const { state, sandbox, usage, sleep, lifecycle, mask, ticketKey, waitUntil } = parts;
  const { record } = parts.events;
  const recordCall = () => sleep.recordCall();
  const restart = async (meanwhile: () => Promise<void>) => {
    await recordCall();
    await lifecycle.restart(async () => {
      await endGateway(sandbox, usage);
      await meanwhile();
    });
  };
  const backups = new BackupControl({
    ...state,
    restore: new ChosenRestore({ ...state, restart, record }),
    sleep,
    measure: () => measureContainer(sandbox, usage),
  });
  const backUp = (by: Requester | undefined) => backups.backUp(false, { reason: "requested", ...by });
  const doctor = new Doctor({ storage, sandbox, backUp, restart, recordCall, mask, record, waitUntil });
  const files = new StateFiles({ sandbox, mask, restart, settle: () => state.maker.settle() });
  const newDevices = new NewDevices(storage);
  const devices = new Devices({ sandbox, key: ticketKey, record, found: newDevices });
  const deviceWatch = new DeviceWatch({ devices, waitUntil });
  return { backups, devices, deviceWatch, newDevices, doctor, files };
}
