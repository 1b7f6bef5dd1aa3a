/**
 * Records restores that nobody ordered and that may lose changes: after a container was lost, or because newer backups are damaged. The health
 * snapshot reports them. What is found before a restore is stored, since the restore may fail at first.
 */
import * as z from "zod";
import {
  MAX_UNEXPECTED_RESTORES,
  type UnexpectedRestore,
  unexpectedRestore,
} from "#workers/contracts/tenant/health-snapshot.ts";
import type { KeyValueStorage } from "../../storage.ts";
import { DAY_MS } from "../stored/retention.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";

const FOUND_KEY = "unexpected-restore-found";
const RESTORES_KEY = "unexpected-restores";
/** How long a restore is reported, in milliseconds: the automation service may be down for a time. */
const REPORTED_MS = 7 * DAY_MS;

const found = z.object({
  lost: z.object({ at: z.iso.datetime(), since: z.iso.datetime().optional() }).optional(),
  /** When the newest damaged backup was made. */
  damaged: z.iso.datetime().optional(),
});
type Found = z.infer<typeof found>;

/** A gateway that ended without an order. */
export interface UnorderedEnd {
  /** When the end was found. */
  at: Date;
  /** When the gateway was first observed to run; absent if unknown. */
  since: Date | undefined;
}

type Restorable = Pick<StoredBackup, "id" | "createdAt" | "bytes" | "origin">;

export class UnexpectedRestores {
  readonly #storage: KeyValueStorage;

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  /** Records that a gateway ended without an order. Its state may be lost with its container. */
  async recordEnd({ at, since }: UnorderedEnd): Promise<void> {
    const present = await this.#found();
    if (present.lost !== undefined) return;
    const lost = { at: at.toISOString(), ...(since && { since: since.toISOString() }) };
    await this.#storage.put(FOUND_KEY, { ...present, lost } satisfies Found);
  }

  /** Records that a backup is damaged, so that an older one is restored. */
  async recordDamaged({ createdAt }: Pick<StoredBackup, "createdAt">): Promise<void> {
    const present = await this.#found();
    if (present.damaged !== undefined) return;
    await this.#storage.put(FOUND_KEY, { ...present, damaged: createdAt.toISOString() } satisfies Found);
  }

  /** Forgets what was found, since the state was kept, or is replaced by order. */
  async forget(): Promise<void> {
    if ((await this.#storage.get(FOUND_KEY)) !== undefined) await this.#storage.delete(FOUND_KEY);
  }

  /** Records a restore into an empty sandbox if changes may be lost. @param backup undefined when the tenant starts with a new state */
  async recordRestore(backup: Restorable | undefined): Promise<void> {
    const { lost, damaged } = await this.#found();
    const isLost = lost !== undefined && !isBeforeReplacement(lost.since, backup);
    if (isLost || damaged !== undefined) {
      const restore: UnexpectedRestore = {
        at: new Date().toISOString(),
        ...(backup && { backup: { id: backup.id, createdAt: backup.createdAt.toISOString(), bytes: backup.bytes } }),
        ...(isLost && { endedAt: lost.at }),
        ...(damaged !== undefined && { damaged }),
      };
      const restores = [...(await this.#stored()), restore].slice(-MAX_UNEXPECTED_RESTORES);
      await this.#storage.put(RESTORES_KEY, restores);
    }
    await this.forget();
  }

  /** Returns the last restores, oldest first. */
  async recent(): Promise<UnexpectedRestore[]> {
    const after = Date.now() - REPORTED_MS;
    return (await this.#stored()).filter(({ at }) => Date.parse(at) > after);
  }

  async #found(): Promise<Found> {
    return found.safeParse(await this.#storage.get(FOUND_KEY)).data ?? {};
  }

  async #stored(): Promise<UnexpectedRestore[]> {
    return z.array(unexpectedRestore).safeParse(await this.#storage.get(RESTORES_KEY)).data ?? [];
  }
}

/** Whether the backup was made of this gateway's state because its container was about to be replaced. */
function isBeforeReplacement(since: string | undefined, backup: Restorable | undefined): boolean {
  if (since === undefined || backup?.origin?.reason !== "before_stop") return false;
  return backup.createdAt.getTime() >= Date.parse(since);
}
