/** Buckets with backups of tenants, which an erasure empties and deletes. */
import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import type Cloudflare from "cloudflare";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { TaskError } from "../task.ts";
import { cloudflareFault, openCloudflare } from "./cloudflare.ts";

export interface BucketContent {
  createdAt: Date;
  objects: number;
  bytes: number;
}

/** The SDK waits for the API's limit of requests as its answers state. */
const MAX_RETRIES = 20;

export class BackupBuckets {
  readonly #options: { apiToken: string; baseURL: string; accountId: string };
  #cloudflare: Promise<Cloudflare> | undefined;

  constructor(options: { apiToken: string; baseURL: string; accountId: string }) {
    this.#options = options;
  }

  /** Counts a bucket's objects. @returns undefined without such a bucket @throws TaskError */
  async read(bucket: string, signal: AbortSignal): Promise<BucketContent | undefined> {
    return this.#call(bucket, async (buckets, account) => {
      const found = await undefinedIfNotFound(buckets.get(bucket, account, { signal }));
      if (found === undefined) return undefined;
      const content = { createdAt: new Date(found.creation_date ?? Number.NaN), objects: 0, bytes: 0 };
      for await (const { size = 0 } of buckets.objects.list(bucket, account, { signal })) {
        content.objects += 1;
        content.bytes += size;
      }
      return content;
    });
  }

  /** Deletes a bucket's objects, if there is such a bucket. Continues an interrupted call. @throws TaskError */
  async empty(bucket: string, signal: AbortSignal): Promise<void> {
    await this.#call(bucket, async (buckets, account) => {
      const first = await undefinedIfNotFound(buckets.objects.list(bucket, account, { signal }));
      if (first === undefined) return;
      const options = { signal, maxRetries: MAX_RETRIES };
      for await (const { key } of first) {
        if (key !== undefined) await buckets.objects.delete(key, { ...account, bucket_name: bucket }, options);
      }
    });
  }

  /** Deletes an empty bucket, if there is one. @throws TaskError */
  async delete(bucket: string, signal: AbortSignal): Promise<void> {
    await this.#call(bucket, async (buckets, account) => {
      await undefinedIfNotFound(buckets.delete(bucket, account, { signal }));
    });
  }

  async #call<T>(
    bucket: string,
    work: (buckets: Cloudflare["r2"]["buckets"], account: { account_id: string }) => Promise<T>,
  ): Promise<T> {
    const { accountId, ...client } = this.#options;
    this.#cloudflare ??= openCloudflare(client);
    try {
      return await work((await this.#cloudflare).r2.buckets, { account_id: accountId });
    } catch (error) {
      throw new TaskError(outsideErrors.bucket_not_erased, { bucket, fault: asSentence(cloudflareFault(error)) });
    }
  }
}
