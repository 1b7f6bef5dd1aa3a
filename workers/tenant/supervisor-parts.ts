/** Creates the objects that the supervisor passes its calls to, from the Worker's bindings. */
import { HEALTH_WS_POLL_INTERVAL_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import { Alarm } from "./alarm.ts";
import { AlarmCycle } from "./alarm-cycle.ts";
import { BackupControl } from "./backup/control.ts";
import { LastBackup } from "./backup/last-backup.ts";
import { ChosenRestore } from "./backup/restore/chosen-restore.ts";
import { type TenantState, tenantStateOf } from "./backup/tenant-state.ts";
import { bindingMs, positiveBinding, type TenantEnv } from "./env.ts";
import { EventLog } from "./event-log.ts";
import { GatewayActivation } from "./gateway/process/activation.ts";
import { GatewayControl } from "./gateway/process/control.ts";
import { GatewayEnds } from "./gateway/process/ends.ts";
import { EnvironmentMark, gatewayEnvironment, gatewaySecrets } from "./gateway/process/environment.ts";
import { Hold } from "./gateway/process/hold.ts";
import { GatewayLaunch } from "./gateway/process/launch.ts";
import { GatewayLifecycle } from "./gateway/process/lifecycle.ts";
import { GatewayStart } from "./gateway/process/start.ts";
import { TrafficGate } from "./gateway/process/traffic-gate.ts";
import { TicketKeyRotation } from "./gateway/tickets/rotation.ts";
import { TicketKey } from "./gateway/tickets/ticket-key.ts";
import { GatewayReactions } from "./health/gateway-reactions.ts";
import { HangRecovery } from "./health/hang-recovery.ts";
import { HangWatch } from "./health/hang-watch.ts";
import { HealthMonitor } from "./health/monitor.ts";
import { ACTIVE_PROBE_TIMEOUT_MS, observe } from "./health/observation.ts";
import { SandboxReactions } from "./health/sandbox-reactions.ts";
import { HealthService } from "./health/service.ts";
import { StartupCache } from "./health/startup-cache.ts";
import { ContainerUse } from "./metrics/container-use.ts";
import { UsageMeter } from "./metrics/usage-meter.ts";
import { sandboxOf } from "./sandbox/cloudflare.ts";
import type { SandboxPort } from "./sandbox/port.ts";
import { SandboxReport } from "./sandbox/report.ts";
import { Scarcity } from "./sandbox/scarcity.ts";
import type { SleepControl } from "./sleep/control.ts";
import { tenantSleepOf } from "./sleep/tenant-sleep.ts";

export interface SupervisorParts {
  gateway: GatewayControl;
  health: HealthService;
  backups: BackupControl;
  usage: UsageMeter;
  report: SandboxReport;
  alarm: AlarmCycle;
}

export function supervisorPartsOf(ctx: DurableObjectState, env: TenantEnv): SupervisorParts {
  const common = commonParts(ctx, env);
  const { sandbox, ends, events, usage, use, state, hold, alarm, mask, waitUntil } = common;
  const ticketKey = new TicketKey({
    storage: ctx.storage,
    tenant: env.TENANT_SLUG,
    token: env.GATEWAY_TOKEN,
    version: positiveBinding("TICKET_KEY_VERSION", env.TICKET_KEY_VERSION),
  });
  const gate = new TrafficGate(sandbox);
  const startup = new StartupCache();
  const environment = gatewayEnvironment(env);
  const mark = new EnvironmentMark(ctx.storage, environment);
  const launch = new GatewayLaunch({ sandbox, ticketKey, mark, environment });
  const sleep: SleepControl = tenantSleepOf({
    env,
    storage: ctx.storage,
    sandbox,
    maker: state.maker,
    forgetStatus: () => state.status.forget(),
    measure: () => use.measure(),
    // The lifecycle is created below, since it waits for the sleep.
    gateway: {
      get isBusy() {
        return lifecycle.isBusy;
      },
      start: () => void lifecycle.start().catch(() => {}),
    },
    isHeld: () => hold.stands(),
    ringWithin: (ms) => alarm.within(ms),
    record: events.record,
  });
  const start = new GatewayStart({ hold, sleep, ends, state: state.start, gate, launch });
  const lifecycle: GatewayLifecycle = new GatewayLifecycle({ sandbox, start, sleep, startup, waitUntil });
  const parts: GatewayParts = { ...common, sleep, gate, startup, launch, lifecycle, ticketKey };
  const health = healthService(ctx, env, parts);
  return {
    gateway: new GatewayControl({
      sandbox,
      hold,
      gate,
      lifecycle,
      ticketKey,
      beforeRestart: async () => {
        await sleep.called();
        startup.clear();
        await state.pendingRestore.retry();
      },
    }),
    health,
    backups: backupControl(parts),
    usage,
    report: new SandboxReport({
      sandbox,
      state: state.information,
      sleep,
      ends,
      events,
      mask,
      bundle: env.BUNDLE_HASH,
    }),
    alarm: new AlarmCycle({ alarm, stream: health.stream, sleep }),
  };
}

interface CommonParts {
  sandbox: SandboxPort;
  ends: GatewayEnds;
  events: EventLog;
  usage: UsageMeter;
  use: ContainerUse;
  state: TenantState;
  hold: Hold;
  alarm: Alarm;
  /** Removes the gateway's secrets from a text. */
  mask: (text: string) => string;
  waitUntil: (work: Promise<unknown>) => void;
}

function commonParts(ctx: DurableObjectState, env: TenantEnv): CommonParts {
  const { storage } = ctx;
  const mask = (text: string) =>
    gatewaySecrets(env).reduce((masked, secret) => masked.replaceAll(secret, "[secret]"), text);
  const plain = sandboxOf(env);
  const ends = new GatewayEnds({ storage, sandbox: plain, mask });
  const sandbox = recordingKills(plain, ends);
  const usage = new UsageMeter({
    storage,
    write: (point) => env.ANALYTICS.writeDataPoint(point),
    tenant: env.TENANT_SLUG,
    environment: env.ENVIRONMENT,
  });
  const events = new EventLog();
  return {
    sandbox,
    ends,
    events,
    usage,
    use: new ContainerUse(sandbox, usage),
    state: tenantStateOf({ env, sandbox, storage, meter: usage, record: events.record }),
    hold: new Hold(storage),
    alarm: new Alarm(storage),
    mask,
    waitUntil: (work) => ctx.waitUntil(work),
  };
}

/** A gateway that was killed has not died by itself. */
function recordingKills(sandbox: SandboxPort, ends: GatewayEnds): SandboxPort {
  return {
    ...sandbox,
    kill: async (idleMs) => {
      const isEnded = await sandbox.kill(idleMs);
      if (isEnded) await ends.ordered();
      return isEnded;
    },
  };
}

interface GatewayParts extends CommonParts {
  sleep: SleepControl;
  gate: TrafficGate;
  startup: StartupCache;
  launch: GatewayLaunch;
  lifecycle: GatewayLifecycle;
  ticketKey: TicketKey;
}

function healthService(ctx: DurableObjectState, env: TenantEnv, parts: GatewayParts): HealthService {
  const { sandbox, ends, state, sleep, gate, startup, launch, lifecycle, ticketKey, alarm, waitUntil } = parts;
  const { record } = parts.events;
  const { maker } = state;
  const recovery = new HangRecovery({
    watch: new HangWatch(ctx.storage, bindingMs("GATEWAY_HANG_SECONDS", env.GATEWAY_HANG_SECONDS)),
    observe: () => observe(sandbox, ACTIVE_PROBE_TIMEOUT_MS),
    lifecycle,
    ends,
    record,
    waitUntil,
  });
  const rotation = new TicketKeyRotation({ key: ticketKey, sandbox, lifecycle, maker, record, waitUntil });
  return new HealthService({
    ctx,
    monitor: new HealthMonitor({
      sandbox,
      startup,
      restoreStatus: () => state.status.status(),
      gateway: new GatewayActivation({ lifecycle, launch, maker, record, waitUntil }),
      sandboxReactions: new SandboxReactions({
        sleep,
        scarcity: new Scarcity(ctx.storage, record),
        state: state.information,
        lastBackup: lastBackup(parts),
      }),
      gatewayReactions: new GatewayReactions({ gate, recovery, lifecycle, ends, rotation }),
    }),
    opened: () => alarm.within(HEALTH_WS_POLL_INTERVAL_MS),
    backUpIfDue: () => waitUntil(maker.backUpIfDue()),
  });
}

function lastBackup({ sandbox, events, state, use, lifecycle, waitUntil }: GatewayParts): LastBackup {
  return new LastBackup({
    maker: state.maker,
    container: {
      isEnding: async () => (await sandbox.listProcesses(AbortSignal.timeout(ACTIVE_PROBE_TIMEOUT_MS))).ending === true,
      endGateway: () => use.endGateway(),
      release: () => sandbox.sleep(),
    },
    gateway: lifecycle,
    forgetStatus: () => state.status.forget(),
    record: events.record,
    waitUntil,
  });
}

function backupControl({ state, use, sleep, lifecycle }: GatewayParts): BackupControl {
  const { maker, reporter, replacement, verification, status } = state;
  return new BackupControl({
    maker,
    reporter,
    restore: new ChosenRestore({
      replacement,
      verification,
      reporter,
      restart: async (meanwhile) => {
        await sleep.called();
        await lifecycle.restart(async () => {
          await use.endGateway();
          await meanwhile();
        });
      },
    }),
    status,
    sleep,
    measure: () => use.measure(),
  });
}
