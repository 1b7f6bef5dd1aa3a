/** Makes the keeper of a tenant's state out of what the Worker is bound to. */
import { BACKUP_INTERVAL_MS } from "#workers/contracts/backup.ts";
import { bindingMs, positiveBinding, type TenantEnv } from "../env.ts";
import type { UsageMeter } from "../metrics/usage-meter.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { RestoreAttempts } from "./restore/attempts.ts";
import { LastOrder } from "./restore/last-order.ts";
import { StateKeeper } from "./state-keeper.ts";
import { DAY_MS, DEFAULT_RETENTION } from "./stored/retention.ts";
import { BackupStore } from "./stored/store.ts";
import { Troubles } from "./troubles.ts";
import { ImageVersion } from "./upgrade/image-version.ts";
import { StateUpgrade } from "./upgrade/state-upgrade.ts";

/** The keeper of this tenant's state, as its bindings set it. @param meter counts what passes, and what comes to nothing */
export function stateKeeperOf(
  env: TenantEnv,
  sandbox: SandboxPort,
  storage: DurableObjectStorage,
  meter: Pick<UsageMeter, "transferred" | "failed">,
): StateKeeper {
  const days = positiveBinding("BACKUP_RETENTION_DAYS", env.BACKUP_RETENTION_DAYS);
  return new StateKeeper({
    sandbox,
    store: new BackupStore(env.BACKUP_BUCKET, { tenant: env.TENANT_SLUG, environment: env.ENVIRONMENT }, (transfer) =>
      meter.transferred(transfer),
    ),
    attempts: new RestoreAttempts(storage),
    lastOrder: new LastOrder(storage),
    image: new ImageVersion(storage, sandbox),
    upgrade: (note) => new StateUpgrade({ storage, sandbox, note }),
    troubles: new Troubles(storage),
    failed: (failure) => meter.failed(failure),
    intervalMs: bindingMs("BACKUP_INTERVAL_SECONDS", env.BACKUP_INTERVAL_SECONDS) ?? BACKUP_INTERVAL_MS,
    retention: {
      ...DEFAULT_RETENTION,
      bytes: positiveBinding("BACKUP_STORAGE_BYTES", env.BACKUP_STORAGE_BYTES),
      ...(days === undefined ? {} : { expiryMs: days * DAY_MS }),
    },
  });
}
