/**
 * Bodies that are too large for SQLite, as objects in the tenant's bucket. Backups have a prefix of their own, so that their listing, retention
 * and size limit do not include these.
 */
import { INBOX_PREFIX } from "#workers/contracts/tenant/inbox.ts";
import type { StoredBody } from "./rows.ts";
import type { InboxStore } from "./store.ts";

/** Largest body in SQLite, whose rows are limited to 2 MB (developers.cloudflare.com/durable-objects/platform/limits/). */
export const MAX_INLINE_BYTES = 1024 * 1024;

export class InboxBodies {
  readonly #bucket: Pick<R2Bucket, "put" | "get" | "delete">;
  readonly #store: Pick<InboxStore, "addObject" | "removeObject" | "unusedObjects">;

  constructor(
    bucket: Pick<R2Bucket, "put" | "get" | "delete">,
    store: Pick<InboxStore, "addObject" | "removeObject" | "unusedObjects">,
  ) {
    this.#bucket = bucket;
    this.#store = store;
  }

  /** Stores a body as an object, and returns its key. One that no message gets is deleted later. */
  async write(bytes: ArrayBuffer, now: number): Promise<string> {
    const object = `${INBOX_PREFIX}${crypto.randomUUID()}`;
    this.#store.addObject(object, now);
    await this.#bucket.put(object, bytes);
    return object;
  }

  /** Returns a body; `undefined` when it is missing in the bucket. */
  async read(body: StoredBody): Promise<ArrayBuffer | ReadableStream<Uint8Array> | undefined> {
    if ("bytes" in body) return body.bytes;
    return (await this.#bucket.get(body.object))?.body;
  }

  /** Deletes objects that no message has. */
  async deleteUnused(now: number): Promise<void> {
    for (const key of this.#store.unusedObjects(now)) {
      await this.#bucket.delete(key);
      this.#store.removeObject(key);
    }
  }
}
