/** Creates the objects that keep a tenant's state beyond its sandbox, from the Worker's bindings. */
import { BACKUP_INTERVAL_MS } from "#workers/contracts/tenant/backup.ts";
import { bindingMs, positiveBinding, type TenantEnv } from "../env.ts";
import type { RecordEvent } from "../event-log.ts";
import type { UsageMeter } from "../metrics/usage-meter.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { Archiver } from "./create/archiver.ts";
import { BackupCleanup } from "./create/cleanup.ts";
import { BackupMaker } from "./create/maker.ts";
import { FailureReports } from "./failure-reports.ts";
import { BackupReporter } from "./report.ts";
import { RestoreAttempts } from "./restore/attempts.ts";
import { LastOrder } from "./restore/last-order.ts";
import { PendingRestore } from "./restore/pending-restore.ts";
import { StateReplacement } from "./restore/replacement.ts";
import { Restorer } from "./restore/restorer.ts";
import { RestoreStatusCache } from "./restore/status-cache.ts";
import { BackupVerification } from "./restore/verification.ts";
import { Preparation } from "./start/preparation.ts";
import { StartState } from "./start/start-state.ts";
import { StateInformation } from "./state-information.ts";
import { StateReader } from "./state-reader.ts";
import { DAY_MS, DEFAULT_RETENTION, type RetentionLimits } from "./stored/retention.ts";
import { BackupStore } from "./stored/store.ts";
import { Troubles } from "./troubles.ts";
import { FailedUpgrade } from "./upgrade/failed-upgrade.ts";
import { ImageVersion } from "./upgrade/image-version.ts";
import { StateUpgrade } from "./upgrade/state-upgrade.ts";
import { UpgradeBackup } from "./upgrade/upgrade-backup.ts";

export interface TenantStateOptions {
  env: TenantEnv;
  sandbox: SandboxPort;
  storage: DurableObjectStorage;
  /** Counts transfers and failures. */
  meter: Pick<UsageMeter, "transferred" | "failed">;
  record: RecordEvent;
}

/** What the supervisor uses of a tenant's state. */
export interface TenantState {
  maker: BackupMaker;
  reporter: BackupReporter;
  replacement: StateReplacement;
  verification: BackupVerification;
  pendingRestore: PendingRestore;
  status: RestoreStatusCache;
  start: StartState;
  information: StateInformation;
}

export function tenantStateOf({ env, sandbox, storage, meter, record }: TenantStateOptions): TenantState {
  const owner = { tenant: env.TENANT_SLUG, environment: env.ENVIRONMENT };
  const store = new BackupStore(env.BACKUP_BUCKET, owner, (transfer) => meter.transferred(transfer));
  const retention = retentionOf(env);
  const attempts = new RestoreAttempts(storage);
  const troubles = new Troubles(storage);
  const image = new ImageVersion(storage, sandbox);
  const upgrade = new StateUpgrade({ storage, sandbox, record });
  const count: UsageMeter["failed"] = (failure) => meter.failed(failure);
  const failures = new FailureReports({ troubles, count, record });
  const reader = new StateReader({ sandbox, store, retention });
  const status = new RestoreStatusCache(reader, record);
  const lastOrder = new LastOrder(storage);
  const pendingRestore = new PendingRestore({ sandbox, status, upgrade, attempts, lastOrder, record });
  const cleanup = new BackupCleanup({ store, retention, record });
  const maker = new BackupMaker({
    reader,
    archiver: new Archiver({ sandbox, store, record }),
    cleanup,
    pendingRestore,
    upgrade,
    failures,
    intervalMs: bindingMs("BACKUP_INTERVAL_SECONDS", env.BACKUP_INTERVAL_SECONDS) ?? BACKUP_INTERVAL_MS,
  });
  const restorer = new Restorer({
    sandbox: { askVersions: (of) => image.askVersions(of), restoreArchive: sandbox.restoreArchive },
    store,
    attempts,
    troubles,
    failed: count,
    record,
  });
  const preparation = new Preparation({
    reader,
    restorer,
    pendingRestore,
    failedUpgrade: new FailedUpgrade({ upgrade, image, sandbox, reader, record }),
    upgradeBackup: new UpgradeBackup({ upgrade, image, maker, failures }),
    record,
  });
  return {
    maker,
    reporter: new BackupReporter({ reader, troubles, attempts }),
    replacement: new StateReplacement({ store, maker, cleanup, pending: pendingRestore, record }),
    verification: new BackupVerification({ store, image, upgrade }),
    pendingRestore,
    status,
    start: new StartState({ preparation, image, upgrade, status, failures }),
    information: new StateInformation({ upgrade, troubles, image }),
  };
}

function retentionOf(env: TenantEnv): RetentionLimits {
  const days = positiveBinding("BACKUP_RETENTION_DAYS", env.BACKUP_RETENTION_DAYS);
  return {
    ...DEFAULT_RETENTION,
    bytes: positiveBinding("BACKUP_STORAGE_BYTES", env.BACKUP_STORAGE_BYTES),
    ...(days === undefined ? {} : { expiryMs: days * DAY_MS }),
  };
}
