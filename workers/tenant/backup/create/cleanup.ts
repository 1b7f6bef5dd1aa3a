/** Removes backups beyond the retention limits, and archives without a manifest. */
import type { RecordEvent } from "../../event-log.ts";
import { beyondRetention, expiringKept, ORPHAN_AGE_MS, type RetentionLimits } from "../stored/retention.ts";
import type { BackupStore } from "../stored/store.ts";

export interface BackupCleanupOptions {
  store: Pick<BackupStore, "list" | "remove" | "removeKeys" | "renew">;
  retention: RetentionLimits;
  record: RecordEvent;
}

export class BackupCleanup {
  readonly #o: BackupCleanupOptions;
  #isSuspended = false;

  constructor(options: BackupCleanupOptions) {
    this.#o = options;
  }

  /** Runs the cleanup. Does not reject, since the new backup is complete. */
  async run(): Promise<void> {
    if (this.#isSuspended) return;
    const { store, retention, record } = this.#o;
    try {
      const now = new Date();
      const { own, uploaded, orphans } = await store.list();
      const old = uploaded.filter(
        ({ createdAt, kept }) => !kept && now.getTime() - createdAt.getTime() > retention.ageMs,
      );
      const ids = [...beyondRetention(own, now, retention), ...old].map(({ id }) => id);
      await store.remove(ids);
      const stale = orphans.filter(({ uploadedAt }) => now.getTime() - uploadedAt.getTime() > ORPHAN_AGE_MS);
      await store.removeKeys(stale.map(({ key }) => key));
      if (ids.length > 0) record("backup.removed", { ids });
      const expiring = expiringKept([...own, ...uploaded], now, retention);
      if (expiring !== undefined) await store.renew(expiring.id);
    } catch (error) {
      record("backup.retention-failed", { message: String(error) });
    }
  }

  /** Suspends the cleanup during a restore, whose backup may be the oldest. */
  async suspendDuring<T>(restore: () => Promise<T>): Promise<T> {
    this.#isSuspended = true;
    try {
      return await restore();
    } finally {
      this.#isSuspended = false;
    }
  }
}
