/** A tenant's backups in its bucket. */
import {
  ARCHIVE_FILE,
  BACKUP_PREFIX,
  type BackupManifest,
  type BackupOwner,
  backupManifest,
  MANIFEST_FILE,
  manifestMetadata,
} from "../contracts/backup.ts";
import type { ArchiveInfo } from "../contracts/sandbox.ts";
import type { Transfer } from "./metrics/usage-meter.ts";
import type { StoredBackup } from "./retention.ts";

export interface BackupListing {
  /** This tenant's, and those that do not tell whose they are; newest first. */
  own: StoredBackup[];
  /** Ids of backups of another owner, which are neither restored nor removed. */
  foreign: string[];
  /** Keys of archives without a manifest, with when they were written. */
  orphans: { key: string; uploadedAt: Date }[];
}

/** How long the transfer of an archive may take, in milliseconds. */
const TRANSFER_TIMEOUT_MS = 10 * 60 * 1000;

const KEY = new RegExp(`^${BACKUP_PREFIX}([^/]+)/(.+)$`);
const keyOf = (id: string, file: string): string => `${BACKUP_PREFIX}${id}/${file}`;

export class BackupStore {
  readonly #bucket: R2Bucket;
  readonly #owner: BackupOwner;
  readonly #transferred: (transfer: Transfer) => void;

  /** @param transferred is told of each archive that went to the bucket or came from it whole */
  constructor(bucket: R2Bucket, owner: BackupOwner, transferred: (transfer: Transfer) => void = () => {}) {
    this.#bucket = bucket;
    this.#owner = owner;
    this.#transferred = transferred;
  }

  /** @throws when the bucket cannot be read */
  async list(): Promise<BackupListing> {
    const manifests = new Map<string, R2Object>();
    const archives = new Map<string, R2Object>();
    let cursor: string | undefined;
    do {
      const page = await this.#bucket.list({
        prefix: BACKUP_PREFIX,
        include: ["customMetadata"],
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const object of page.objects) {
        const [, id = "", file] = KEY.exec(object.key) ?? [];
        if (file === MANIFEST_FILE) manifests.set(id, object);
        if (file === ARCHIVE_FILE) archives.set(id, object);
      }
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);

    const own: StoredBackup[] = [];
    const foreign: string[] = [];
    for (const [id, object] of manifests) {
      const metadata = manifestMetadata.safeParse(object.customMetadata).data;
      const bytes = archives.get(id)?.size ?? 0;
      if (metadata === undefined) own.push({ id, createdAt: object.uploaded, bytes, state: undefined });
      else if (!this.#owns(metadata)) foreign.push(id);
      else {
        const state = metadata.size === bytes ? metadata.state : undefined;
        own.push({ id, createdAt: new Date(metadata.createdAt), bytes, state });
      }
    }
    own.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
    const orphans = [...archives]
      .filter(([id]) => !manifests.has(id))
      .map(([, { key, uploaded }]) => ({ key, uploadedAt: uploaded }));
    return { own, foreign, orphans };
  }

  /**
   * Stores an archive and then its manifest, so that the backup is listed only once the bucket has proven its checksum.
   *
   * @throws when the bytes are not those that `archive` tells, or the bucket refuses them; nothing is listed then
   */
  async write(createdAt: Date, archive: ArchiveInfo, bytes: ReadableStream<Uint8Array>): Promise<BackupManifest> {
    const time = createdAt.toISOString();
    const id = `${time.replace(/[-:.]/g, "")}-${crypto.randomUUID().slice(0, 8)}`;
    const manifest: BackupManifest = { version: 1, id, owner: this.#owner, createdAt: time, archive };
    const key = keyOf(id, ARCHIVE_FILE);
    const fixed = new FixedLengthStream(archive.size);
    const [stored] = await Promise.all([
      this.#bucket.put(key, fixed.readable, { sha256: archive.sha256 }),
      bytes.pipeTo(fixed.writable, { signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) }),
    ]);
    if (stored.size !== archive.size) throw new Error("the bucket holds another number of bytes than were sent");
    this.#transferred({ direction: "upload", operation: "backup", bytes: stored.size });
    await this.#bucket.put(keyOf(id, MANIFEST_FILE), JSON.stringify(manifest), {
      httpMetadata: { contentType: "application/json" },
      customMetadata: {
        ...this.#owner,
        createdAt: time,
        size: String(archive.size),
        state: archive.state,
      },
    });
    return manifest;
  }

  /**
   * A backup's manifest and the bytes of its archive, or why it cannot be restored.
   *
   * @throws when the bucket cannot be read
   */
  async open(id: string): Promise<{ archive: ArchiveInfo; body: ReadableStream<Uint8Array> } | { damage: string }> {
    const text = await (await this.#bucket.get(keyOf(id, MANIFEST_FILE)))?.text();
    if (text === undefined) return { damage: "its manifest is gone" };
    const manifest = parseManifest(text);
    if (manifest === undefined) return { damage: "its manifest cannot be read" };
    if (!this.#owns(manifest.owner)) return { damage: "it is another owner's" };
    const object = await this.#bucket.get(keyOf(id, ARCHIVE_FILE));
    if (object === null) return { damage: "its archive is gone" };
    if (object.size !== manifest.archive.size) {
      await object.body.cancel();
      return { damage: "its archive is not as long as its manifest tells" };
    }
    return { archive: manifest.archive, body: object.body };
  }

  /** To be told when the body that {@link open} gave was read to its end. */
  wasRead(archive: ArchiveInfo): void {
    this.#transferred({ direction: "download", operation: "restore", bytes: archive.size });
  }

  /** Removes backups, manifests first, so that none is listed without its archive. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#bucket.delete(ids.map((id) => keyOf(id, MANIFEST_FILE)));
    await this.#bucket.delete(ids.map((id) => keyOf(id, ARCHIVE_FILE)));
  }

  async removeKeys(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#bucket.delete([...keys]);
  }

  #owns(owner: BackupOwner): boolean {
    return owner.tenant === this.#owner.tenant && owner.environment === this.#owner.environment;
  }
}

function parseManifest(text: string): BackupManifest | undefined {
  try {
    return backupManifest.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
