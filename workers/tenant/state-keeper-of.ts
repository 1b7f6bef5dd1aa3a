import { BACKUP_INTERVAL_MS } from "../contracts/backup.ts";
import { BackupStore } from "./backup-store.ts";
import type { TenantEnv } from "./env.ts";
import { DEFAULT_RETENTION } from "./retention.ts";
import type { SandboxPort } from "./sandbox-port.ts";
import { StateKeeper } from "./state-keeper.ts";

/** A binding's number; `undefined` when it is absent. @throws Error when it is not a positive number */
function positive(name: string, value: string | undefined): number | undefined {
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  if (!(number > 0)) throw new Error(`the binding ${name} is not a positive number`);
  return number;
}

/** The keeper of this tenant's state, as its bindings set it. */
export function stateKeeperOf(env: TenantEnv, sandbox: SandboxPort): StateKeeper {
  const seconds = positive("BACKUP_INTERVAL_SECONDS", env.BACKUP_INTERVAL_SECONDS);
  return new StateKeeper({
    sandbox,
    store: new BackupStore(env.BACKUP_BUCKET, { tenant: env.TENANT_SLUG, environment: env.ENVIRONMENT }),
    intervalMs: seconds === undefined ? BACKUP_INTERVAL_MS : seconds * 1000,
    retention: { ...DEFAULT_RETENTION, bytes: positive("BACKUP_STORAGE_BYTES", env.BACKUP_STORAGE_BYTES) },
  });
}
