/** A tenant's backups in its bucket. */
import {
  ARCHIVE_FILE,
  BACKUP_PREFIX,
  type BackupManifest,
  type BackupOwner,
  backupManifest,
  DAMAGE_FILE,
  MANIFEST_FILE,
  manifestMetadata,
} from "#workers/contracts/tenant/backup.ts";
import { type ArchiveInfo, gatewayVersion } from "#workers/contracts/tenant/sandbox.ts";
import { hex } from "#workers/shared/hex.ts";
import { DamagedBackup, OTHER_BYTES } from "./damage.ts";
import type { OrderedRestore, StoredBackup } from "./stored-backup.ts";
import type { Transfer } from "./transfer.ts";

export interface BackupListing {
  /** This tenant's, and those that do not tell whose they are; newest first. */
  own: StoredBackup[];
  /** This tenant's that were set aside, with why; newest first. They count for nothing. */
  damaged: (StoredBackup & { reason: string })[];
  /** Ids of backups of another owner, which are neither restored nor removed. */
  foreign: string[];
  /** Keys of archives without a manifest, with when they were written. */
  orphans: { key: string; uploadedAt: Date }[];
}

/** How long the transfer of an archive may take, in milliseconds. */
const TRANSFER_TIMEOUT_MS = 10 * 60 * 1000;

/** Characters of what is told of a damage; custom metadata has room for 2 KB. */
const MAX_REASON = 500;

/** What {@link BackupStore.open} says of a backup that there is not. */
export const NO_MANIFEST = "its manifest is gone";

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
    const damages = new Map<string, R2Object>();
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
        if (file === DAMAGE_FILE) damages.set(id, object);
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
        const written = { name: metadata.gateway, version: metadata.gatewayVersion };
        const gateway = gatewayVersion.safeParse(written).data;
        const { createdAt, restoreOrder: order, restoreOf: of, restorePresent: present } = metadata;
        const restore = order === undefined || of === undefined ? undefined : { order, of, present };
        own.push({
          id,
          createdAt: new Date(createdAt),
          bytes,
          state,
          ...(gateway && { gateway }),
          ...(restore && { restore }),
        });
      }
    }
    own.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
    const damaged = own.flatMap((backup) => {
      const damage = damages.get(backup.id);
      return damage === undefined ? [] : [{ ...backup, reason: damage.customMetadata?.reason ?? "it is damaged" }];
    });
    const orphans = [...archives]
      .filter(([id]) => !manifests.has(id) && !damages.has(id))
      .map(([, { key, uploaded }]) => ({ key, uploadedAt: uploaded }));
    return { own: own.filter(({ id }) => !damages.has(id)), damaged, foreign, orphans };
  }

  /**
   * Stores an archive and then its manifest, so that the backup is listed only once the bucket has proven its checksum.
   *
   * @throws when the bytes are not those that `archive` tells, or the bucket refuses them; nothing is listed then
   */
  async write(createdAt: Date, archive: ArchiveInfo, bytes: ReadableStream<Uint8Array>): Promise<BackupManifest> {
    const manifest = await this.#store(createdAt, archive, bytes);
    this.#transferred({ direction: "upload", operation: "backup", bytes: archive.size });
    return manifest;
  }

  /** Reads a backup's bytes. @throws DamagedBackup when it cannot be restored */
  async verify(id: string): Promise<void> {
    const told = await this.#told(id);
    if ("damage" in told) throw new DamagedBackup(told.damage);
    if (!(await this.isAsTold(id, told.archive))) throw new DamagedBackup(OTHER_BYTES);
  }

  /**
   * Makes a backup the newest, by a copy of it, whose checksum the bucket proves.
   *
   * @param restore what it is made for
   * @throws DamagedBackup when its manifest or its archive is gone
   */
  async renew(restore: OrderedRestore): Promise<BackupManifest> {
    const opened = await this.open(restore.of);
    if ("damage" in opened) throw new DamagedBackup(opened.damage);
    return this.#store(new Date(), opened.archive, opened.body, restore);
  }

  /** Whether the bucket holds the very bytes that the manifest tells of. @throws when it cannot be read */
  async isAsTold(id: string, archive: ArchiveInfo): Promise<boolean> {
    const object = await this.#bucket.get(keyOf(id, ARCHIVE_FILE));
    if (object === null) return false;
    const digest = new crypto.DigestStream("SHA-256");
    await object.body.pipeTo(digest, { signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) });
    return hex(await digest.digest) === archive.sha256;
  }

  /** Lets a damaged backup count for nothing from now on; its bytes stay. */
  async setAside(id: string, reason: string): Promise<void> {
    const text = reason.replace(/[^ -~]/g, "?").slice(0, MAX_REASON);
    await this.#bucket.put(keyOf(id, DAMAGE_FILE), JSON.stringify({ reason: text }), {
      httpMetadata: { contentType: "application/json" },
      customMetadata: { reason: text },
    });
  }

  async #store(
    createdAt: Date,
    archive: ArchiveInfo,
    bytes: ReadableStream<Uint8Array>,
    restore?: OrderedRestore,
  ): Promise<BackupManifest> {
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
    await this.#bucket.put(keyOf(id, MANIFEST_FILE), JSON.stringify(manifest), {
      httpMetadata: { contentType: "application/json" },
      customMetadata: {
        ...this.#owner,
        createdAt: time,
        size: String(archive.size),
        state: archive.state,
        ...(archive.gateway && { gateway: archive.gateway.name, gatewayVersion: archive.gateway.version }),
        ...(restore && { restoreOrder: restore.order, restoreOf: restore.of }),
        ...(restore?.present !== undefined && { restorePresent: restore.present }),
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
    const told = await this.#told(id);
    if ("damage" in told) return told;
    const object = await this.#bucket.get(keyOf(id, ARCHIVE_FILE));
    if (object === null) return { damage: "its archive is gone" };
    if (object.size !== told.archive.size) {
      await object.body.cancel();
      return { damage: "its archive is not as long as its manifest tells" };
    }
    return { archive: told.archive, body: object.body };
  }

  /** The archive that a backup's manifest tells of. */
  async #told(id: string): Promise<{ archive: ArchiveInfo } | { damage: string }> {
    const text = await (await this.#bucket.get(keyOf(id, MANIFEST_FILE)))?.text();
    if (text === undefined) return { damage: NO_MANIFEST };
    const manifest = parseManifest(text);
    if (manifest === undefined) return { damage: "its manifest cannot be read" };
    return this.#owns(manifest.owner) ? { archive: manifest.archive } : { damage: "it is another owner's" };
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
