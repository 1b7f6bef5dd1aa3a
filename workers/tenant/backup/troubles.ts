import { type BackupTrouble, backupTrouble } from "#workers/contracts/tenant/backup.ts";
import type { KeyValueStorage } from "../storage.ts";

const KEY = "backup-trouble";

/** Stores the problem that prevents backups or restores, and since when. */
export class Troubles {
  readonly #storage: KeyValueStorage;

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  async current(): Promise<BackupTrouble | undefined> {
    return backupTrouble.safeParse(await this.#storage.get(KEY)).data;
  }

  /** Whether the last backup failed or was refused. */
  async isOfBackup(): Promise<boolean> {
    const { kind } = (await this.current()) ?? {};
    return kind === "failed" || kind === "refused";
  }

  /** @returns whether the problem or its reason is new */
  async report(kind: BackupTrouble["kind"], reason: string): Promise<boolean> {
    const last = await this.current();
    if (last?.kind === kind && last.reason === reason) return false;
    const since = last?.kind === kind ? last.since : new Date().toISOString();
    await this.#storage.put(KEY, { kind, reason, since } satisfies BackupTrouble);
    return true;
  }

  async clear(): Promise<void> {
    if ((await this.current()) !== undefined) await this.#storage.delete(KEY);
  }
}
