import { BACKUP_INTERVAL_MS } from "#workers/contracts/tenant/backup.ts";
import { bindingMs, positiveBinding, type TenantEnv } from "../env.ts";
import type { RecordEvent } from "../event-log.ts";
import type { UsageMeter } from "../metrics/usage-meter.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { BackupCleanup } from "./create/cleanup.ts";
import { BackupMaker } from "./create/maker.ts";
import { FailureReports } from "./failure-reports.ts";
import { backupReport } from "./report.ts";
import { RestoreAttempts } from "./restore/attempts.ts";
import { PendingRestore } from "./restore/pending-restore.ts";
import { Restorer } from "./restore/restorer.ts";
import { RestoreStatusCache } from "./restore/status-cache.ts";
import type { UnexpectedRestores } from "./restore/unexpected-restores.ts";
import { prepareStart } from "./start/start-state.ts";
import { StateReader } from "./state-reader.ts";
import { DAY_MS, DEFAULT_RETENTION, type RetentionLimits } from "./stored/retention.ts";
import { BackupStore } from "./stored/store.ts";
import { Troubles } from "./troubles.ts";
import { ImageVersion } from "./upgrade/image-version.ts";
import { StateUpgrade } from "./upgrade/state-upgrade.ts";

export interface TenantStateOptions {
  env: TenantEnv;
  sandbox: SandboxPort;
  storage: DurableObjectStorage;
  meter: Pick<UsageMeter, "countTransfer" | "countFailure">;
  unexpected: UnexpectedRestores;
  record: RecordEvent;
  /** As in `BackupMakerOptions`. */
  onBackup: (began: Date) => void;
  /** As in `RestorerOptions`; without `from` for a new state. */
  onStateLost: (from?: Date) => void;
}

/** Creates the objects that back up and restore a tenant's state. */
export function tenantStateOf(options: TenantStateOptions) {
  const { env, sandbox, storage, meter, unexpected, record, onBackup, onStateLost } = options;
  const owner = { tenant: env.TENANT_SLUG, environment: env.ENVIRONMENT };
  const store = new BackupStore(env.BACKUP_BUCKET, owner, (transfer) => meter.countTransfer(transfer));
  const retention = retentionOf(env);
  const attempts = new RestoreAttempts(storage);
  const troubles = new Troubles(storage);
  const image = new ImageVersion(storage, sandbox);
  const upgrade = new StateUpgrade({ storage, sandbox, record });
  const countFailure: UsageMeter["countFailure"] = (failure) => meter.countFailure(failure);
  const failures = new FailureReports({ troubles, countFailure, record });
  const reader = new StateReader({ sandbox, store, retention });
  const status = new RestoreStatusCache(reader, record);
  const pendingRestore = new PendingRestore({ storage, sandbox, status, upgrade, attempts, unexpected, record });
  const cleanup = new BackupCleanup({ store, retention, record });
  const maker = new BackupMaker({
    reader,
    sandbox,
    store,
    cleanup,
    pendingRestore,
    upgrade,
    failures,
    record,
    onBackup,
    intervalMs: bindingMs("BACKUP_INTERVAL_SECONDS", env.BACKUP_INTERVAL_SECONDS) ?? BACKUP_INTERVAL_MS,
  });
  const restorer = new Restorer({
    sandbox: { getVersions: (of) => image.getVersions(of), restoreArchive: sandbox.restoreArchive },
    store,
    attempts,
    unexpected,
    troubles,
    countFailure,
    onStateLost,
    record,
  });
  const start = {
    reader,
    restorer,
    pendingRestore,
    unexpected,
    upgrade,
    image,
    sandbox,
    maker,
    failures,
    status,
    onStateLost,
    record,
  };
  return {
    store,
    cleanup,
    maker,
    image,
    upgrade,
    troubles,
    pendingRestore,
    status,
    report: () => backupReport({ reader, troubles, attempts, retention }),
    prepareStart: () => prepareStart(start),
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
