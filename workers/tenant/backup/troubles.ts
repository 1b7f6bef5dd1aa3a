/** What keeps backups from being made or restored, and since when: stored, as the object may be gone before anyone asks. */
import { type BackupTrouble, backupTrouble } from "#workers/contracts/tenant/backup.ts";

const KEY = "backup-trouble";

export class Troubles {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  async current(): Promise<BackupTrouble | undefined> {
    return backupTrouble.safeParse(await this.#storage.get(KEY)).data;
  }

  /** @returns whether it is a new one, or has another reason now */
  async report(kind: BackupTrouble["kind"], reason: string): Promise<boolean> {
    const last = await this.current();
    if (last?.kind === kind && last.reason === reason) return false;
    const since = last?.kind === kind ? last.since : new Date().toISOString();
    await this.#storage.put<BackupTrouble>(KEY, { kind, reason, since });
    return true;
  }

  async clear(): Promise<void> {
    if ((await this.current()) !== undefined) await this.#storage.delete(KEY);
  }
}
