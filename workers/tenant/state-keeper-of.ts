import { BACKUP_INTERVAL_MS } from "../contracts/backup.ts";
import { BackupStore } from "./backup-store.ts";
import { bindingMs, positiveBinding, type TenantEnv } from "./env.ts";
import type { Transfer } from "./metrics/usage-meter.ts";
import { DAY_MS, DEFAULT_RETENTION } from "./retention.ts";
import type { SandboxPort } from "./sandbox-port.ts";
import { StateKeeper } from "./state-keeper.ts";

/**
 * The keeper of this tenant's state, as its bindings set it.
 *
 * @param transferred is told of each archive that passed between container and bucket
 */
export function stateKeeperOf(
  env: TenantEnv,
  sandbox: SandboxPort,
  transferred: (transfer: Transfer) => void,
): StateKeeper {
  const days = positiveBinding("BACKUP_RETENTION_DAYS", env.BACKUP_RETENTION_DAYS);
  return new StateKeeper({
    sandbox,
    store: new BackupStore(env.BACKUP_BUCKET, { tenant: env.TENANT_SLUG, environment: env.ENVIRONMENT }, transferred),
    intervalMs: bindingMs("BACKUP_INTERVAL_SECONDS", env.BACKUP_INTERVAL_SECONDS) ?? BACKUP_INTERVAL_MS,
    retention: {
      ...DEFAULT_RETENTION,
      bytes: positiveBinding("BACKUP_STORAGE_BYTES", env.BACKUP_STORAGE_BYTES),
      ...(days === undefined ? {} : { expiryMs: days * DAY_MS }),
    },
  });
}
