/** A tenant's backups in its bucket. */
import {
  ARCHIVE_FILE,
  BACKUP_PREFIX,
  type BackupManifest,
  type BackupOrigin,
  type BackupOwner,
  backupManifest,
  DAMAGE_FILE,
  KEPT_FILE,
  MANIFEST_FILE,
  type ManifestMetadata,
  manifestMetadata,
  type Requester,
  UPLOAD_ID,
  UPLOAD_PREFIX,
} from "#workers/contracts/tenant/backup.ts";
import { type ArchiveInfo, gatewayVersion } from "#workers/contracts/tenant/sandbox.ts";
import { jsonOf } from "#workers/shared/env.ts";
import { hex } from "#workers/shared/hex.ts";
import { DamagedBackup } from "../errors.ts";
import { CHECKSUM_MISMATCH, type OrderedRestore, type StoredBackup, type Transfer } from "./stored-backup.ts";

const idAt = (time: Date): string => `${time.toISOString().replace(/[-:.]/g, "")}-${crypto.randomUUID().slice(0, 8)}`;

/** Custom metadata is ASCII. */
function originMetadata({ reason, by, role }: BackupOrigin): Record<string, string> {
  return { reason, ...(by && { by: encodeURIComponent(by) }), ...(role && { role: encodeURIComponent(role) }) };
}

function originOf({ reason, by, role }: ManifestMetadata): BackupOrigin | undefined {
  if (reason === undefined) return undefined;
  return { reason, ...(by && { by: decoded(by) }), ...(role && { role: decoded(role) }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface BackupListing {
  /** This tenant's backups, and those without an owner; newest first. */
  own: StoredBackup[];
  /** Backups that people uploaded, newest first. They are restored only when they are chosen. */
  uploaded: StoredBackup[];
  /** This tenant's damaged backups, with the reason; newest first. They are not restored. */
  damaged: (StoredBackup & { reason: string })[];
  /** Ids of another owner's backups, which are neither restored nor removed. */
  foreign: string[];
  /** Keys of archives without a manifest. */
  orphans: { key: string; uploadedAt: Date }[];
}

const TRANSFER_TIMEOUT_MS = 10 * 60 * 1000;
/** Maximum length of a damage's reason. It is stored in custom metadata. */
const MAX_REASON_LENGTH = 500;
const JSON_TYPE = { httpMetadata: { contentType: "application/json" } };

/** The damage that {@link BackupStore.open} reports for a backup that does not exist. */
export const NO_MANIFEST = "its manifest is missing";

const KEY = /^[^/]+\/([^/]+)\/(.+)$/;
const isUpload = (id: string): boolean => id.startsWith(UPLOAD_ID);
const keyOf = (id: string, file: string): string => `${isUpload(id) ? UPLOAD_PREFIX : BACKUP_PREFIX}${id}/${file}`;

export class BackupStore {
  readonly #bucket: R2Bucket;
  readonly #owner: BackupOwner;
  readonly #countTransfer: (transfer: Transfer) => void;

  /** @param countTransfer counts complete uploads and downloads of archives */
  constructor(bucket: R2Bucket, owner: BackupOwner, countTransfer: (transfer: Transfer) => void = () => {}) {
    this.#bucket = bucket;
    this.#owner = owner;
    this.#countTransfer = countTransfer;
  }

  /** @throws when the bucket cannot be read */
  async list(): Promise<BackupListing> {
    const files = await this.#listFiles();
    const [manifests, archives, damages] = [files(MANIFEST_FILE), files(ARCHIVE_FILE), files(DAMAGE_FILE)];
    const kept = files(KEPT_FILE);
    const all: StoredBackup[] = [];
    const foreign: string[] = [];
    for (const [id, object] of manifests) {
      const metadata = manifestMetadata.safeParse(object.customMetadata).data;
      const bytes = archives.get(id)?.size ?? 0;
      if (metadata === undefined) all.push({ id, createdAt: object.uploaded, bytes, state: undefined });
      else if (!this.#owns(metadata)) foreign.push(id);
      else {
        const written = { name: metadata.gateway, version: metadata.gatewayVersion };
        const gateway = gatewayVersion.safeParse(written).data;
        const { restoreOrder: order, restoreOf: of, restorePresent: present } = metadata;
        const restore = order !== undefined && of !== undefined && { restore: { order, of, present } };
        const createdAt = new Date(metadata.createdAt);
        const state = metadata.size === bytes ? metadata.state : undefined;
        const found = { id, createdAt, bytes, state, writtenAt: archives.get(id)?.uploaded ?? object.uploaded };
        const origin = originOf(metadata);
        all.push({
          ...found,
          ...(gateway && { gateway }),
          ...restore,
          ...(origin && { origin }),
          ...(kept.has(id) && { kept: true }),
        });
      }
    }
    all.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
    const damaged = all.flatMap((backup) => {
      const damage = damages.get(backup.id);
      return damage === undefined ? [] : [{ ...backup, reason: damage.customMetadata?.reason ?? "it is damaged" }];
    });
    const orphans = [...archives]
      .filter(([id]) => !manifests.has(id) && !damages.has(id))
      .map(([, { key, uploaded }]) => ({ key, uploadedAt: uploaded }));
    const whole = all.filter(({ id }) => !damages.has(id));
    const own = whole.filter(({ id }) => !isUpload(id));
    return { own, uploaded: whole.filter(({ id }) => isUpload(id)), damaged, foreign, orphans };
  }

  /** Lists all objects. @returns the objects with a file name, by backup id */
  async #listFiles(): Promise<(file: string) => Map<string, R2Object>> {
    const files = new Map<string, Map<string, R2Object>>();
    const listBelow = async (prefix: string) => {
      let cursor: string | undefined;
      do {
        const page = await this.#bucket.list({ prefix, include: ["customMetadata"], ...(cursor && { cursor }) });
        for (const object of page.objects) {
          const [, id = "", file = ""] = KEY.exec(object.key) ?? [];
          files.set(file, (files.get(file) ?? new Map()).set(id, object));
        }
        cursor = page.truncated ? page.cursor : undefined;
      } while (cursor !== undefined);
    };
    // Each start of a container waits for the list.
    await Promise.all([BACKUP_PREFIX, UPLOAD_PREFIX].map(listBelow));
    return (file) => files.get(file) ?? new Map();
  }

  /**
   * Stores an archive and then its manifest, so that a backup is listed only after the bucket has verified its checksum.
   *
   * @throws when `bytes` does not match `archive`, or the bucket fails; nothing is listed then
   */
  async write(
    createdAt: Date,
    archive: ArchiveInfo,
    bytes: ReadableStream<Uint8Array>,
    origin: BackupOrigin,
  ): Promise<BackupManifest> {
    const manifest = await this.#store(createdAt, archive, bytes, origin);
    this.#countTransfer({ direction: "upload", operation: "backup", bytes: archive.size });
    return manifest;
  }

  /** Reads a backup's archive and verifies it. @throws DamagedBackup when it cannot be restored */
  async verify(id: string): Promise<void> {
    const manifest = await this.#readManifest(id);
    if ("damage" in manifest) throw new DamagedBackup(manifest.damage);
    if (!(await this.isIntact(id, manifest.archive))) throw new DamagedBackup(CHECKSUM_MISMATCH);
  }

  /**
   * Copies a backup, so that the copy is the newest. The bucket verifies its checksum.
   *
   * @param restore the restore that needs the copy
   * @throws DamagedBackup when its manifest or its archive is missing
   */
  async copyAsNewest(restore: OrderedRestore): Promise<BackupManifest> {
    const opened = await this.open(restore.of);
    if ("damage" in opened) throw new DamagedBackup(opened.damage);
    return this.#store(new Date(), opened.archive, opened.body, { reason: "restored" }, restore);
  }

  /**
   * Stores an archive that a person uploaded. It is listed only if `check` accepts it.
   *
   * @param check describes the archive, which it reads while the archive is stored. Rejects to refuse it
   * @throws as `check`, or when the bucket fails; nothing is stored then
   */
  async writeUpload(
    bytes: ReadableStream<Uint8Array>,
    check: () => Promise<ArchiveInfo>,
    by: Requester | undefined,
  ): Promise<BackupManifest> {
    const createdAt = new Date();
    const id = `${UPLOAD_ID}${idAt(createdAt)}`;
    const key = keyOf(id, ARCHIVE_FILE);
    // The bucket is settled first: a write that completes later would leave an archive.
    const [put, checked] = await Promise.allSettled([this.#bucket.put(key, bytes), check()]);
    if (put.status === "fulfilled" && checked.status === "fulfilled" && put.value?.size === checked.value.size)
      return this.#list(id, createdAt, checked.value, { reason: "uploaded", ...by });
    await this.removeKeys([key]);
    if (checked.status === "rejected") throw checked.reason;
    throw put.status === "rejected" ? put.reason : new Error("The size of the archive in the bucket does not match.");
  }

  /** Sets or removes the mark of a kept backup. */
  async keep(id: string, kept: boolean): Promise<void> {
    const key = keyOf(id, KEPT_FILE);
    if (kept) await this.#bucket.put(key, "{}", JSON_TYPE);
    else await this.removeKeys([key]);
  }

  /** Writes the objects of a backup again, since the bucket deletes objects by their age. */
  async renew(id: string): Promise<void> {
    // The archive last: its age is that of the backup, so that an interrupted call is repeated.
    for (const file of [KEPT_FILE, MANIFEST_FILE, ARCHIVE_FILE]) {
      const object = await this.#bucket.get(keyOf(id, file));
      if (object === null) continue;
      const { sha256 } = object.checksums;
      const { httpMetadata, customMetadata } = object;
      const fixed = new FixedLengthStream(object.size);
      await Promise.all([
        this.#bucket.put(object.key, fixed.readable, {
          ...(httpMetadata && { httpMetadata }),
          ...(customMetadata && { customMetadata }),
          ...(sha256 && { sha256 }),
        }),
        object.body.pipeTo(fixed.writable, { signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) }),
      ]);
    }
  }

  /** Whether the archive in the bucket has the manifest's checksum. @throws when it cannot be read */
  async isIntact(id: string, archive: ArchiveInfo): Promise<boolean> {
    const object = await this.#bucket.get(keyOf(id, ARCHIVE_FILE));
    if (object === null) return false;
    const digest = new crypto.DigestStream("SHA-256");
    await object.body.pipeTo(digest, { signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) });
    return hex(await digest.digest) === archive.sha256;
  }

  /** Marks a backup as damaged, so that it is no longer restored. Its archive stays. */
  async markDamaged(id: string, reason: string): Promise<void> {
    const text = reason.replace(/[^ -~]/g, "?").slice(0, MAX_REASON_LENGTH);
    await this.#bucket.put(keyOf(id, DAMAGE_FILE), JSON.stringify({ reason: text }), {
      ...JSON_TYPE,
      customMetadata: { reason: text },
    });
  }

  async #store(
    createdAt: Date,
    archive: ArchiveInfo,
    bytes: ReadableStream<Uint8Array>,
    origin: BackupOrigin,
    restore?: OrderedRestore,
  ): Promise<BackupManifest> {
    const id = idAt(createdAt);
    const fixed = new FixedLengthStream(archive.size);
    const [stored] = await Promise.all([
      this.#bucket.put(keyOf(id, ARCHIVE_FILE), fixed.readable, { sha256: archive.sha256 }),
      bytes.pipeTo(fixed.writable, { signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) }),
    ]);
    if (stored.size !== archive.size) throw new Error("The size of the archive in the bucket does not match.");
    return this.#list(id, createdAt, archive, origin, restore);
  }

  /** Writes the manifest of a stored archive, which lists the backup. */
  async #list(
    id: string,
    createdAt: Date,
    archive: ArchiveInfo,
    origin: BackupOrigin,
    restore?: OrderedRestore,
  ): Promise<BackupManifest> {
    const time = createdAt.toISOString();
    const manifest: BackupManifest = { version: 1, id, owner: this.#owner, createdAt: time, archive, origin };
    await this.#bucket.put(keyOf(id, MANIFEST_FILE), JSON.stringify(manifest), {
      ...JSON_TYPE,
      customMetadata: {
        ...this.#owner,
        createdAt: time,
        size: String(archive.size),
        state: archive.state,
        ...(archive.gateway && { gateway: archive.gateway.name, gatewayVersion: archive.gateway.version }),
        ...(restore && { restoreOrder: restore.order, restoreOf: restore.of }),
        ...(restore?.present !== undefined && { restorePresent: restore.present }),
        ...originMetadata(origin),
      },
    });
    return manifest;
  }

  /** Opens a backup's archive, or returns why it cannot be restored. @throws when the bucket cannot be read */
  async open(id: string): Promise<{ archive: ArchiveInfo; body: ReadableStream<Uint8Array> } | { damage: string }> {
    const manifest = await this.#readManifest(id);
    if ("damage" in manifest) return manifest;
    const object = await this.#bucket.get(keyOf(id, ARCHIVE_FILE));
    if (object === null) return { damage: "its archive is missing" };
    if (object.size !== manifest.archive.size) {
      await object.body.cancel();
      return { damage: "its archive does not have the size in its manifest" };
    }
    return { archive: manifest.archive, body: object.body };
  }

  async #readManifest(id: string): Promise<{ archive: ArchiveInfo } | { damage: string }> {
    const text = await (await this.#bucket.get(keyOf(id, MANIFEST_FILE)))?.text();
    if (text === undefined) return { damage: NO_MANIFEST };
    const manifest = jsonOf(backupManifest).safeParse(text).data;
    if (manifest === undefined) return { damage: "its manifest is invalid" };
    return this.#owns(manifest.owner) ? { archive: manifest.archive } : { damage: "it belongs to another owner" };
  }

  /** Counts the download of an archive. Call when the body of {@link open} was read completely. */
  countDownload(archive: ArchiveInfo): void {
    this.#countTransfer({ direction: "download", operation: "restore", bytes: archive.size });
  }

  /** Removes backups: manifests first, so that no backup is listed without its archive. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.removeKeys(ids.map((id) => keyOf(id, MANIFEST_FILE)));
    await this.removeKeys(ids.flatMap((id) => [keyOf(id, ARCHIVE_FILE), keyOf(id, KEPT_FILE)]));
  }

  async removeKeys(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#bucket.delete([...keys]);
  }

  #owns(owner: BackupOwner): boolean {
    return owner.tenant === this.#owner.tenant && owner.environment === this.#owner.environment;
  }
}
