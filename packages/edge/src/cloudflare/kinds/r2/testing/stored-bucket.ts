/** Reads and writes a bucket by the protocol of a Worker's binding. */
import * as z from "zod";
import { asciiJson } from "#http/ascii-json.ts";
import type { Storage } from "#runtime/storage.ts";
import { bucketPort } from "../port.ts";

const REQUEST_HEADER = "cf-r2-request";
const METADATA_SIZE_HEADER = "cf-r2-metadata-size";

const field = z.object({ k: z.string(), v: z.string() });
const metadata = z.object({ customFields: z.array(field).default([]) });

export interface StoredObject {
  customMetadata: Record<string, string>;
  content: Buffer;
}

export class StoredBucket {
  readonly #storage: Storage;
  readonly #name: string;

  constructor(storage: Storage, name: string) {
    this.#storage = storage;
    this.#name = name;
  }

  /** Returns keys with a prefix, in order. */
  async keys(prefix: string): Promise<string[]> {
    const { objects } = await bucketPort(this.#storage, this.#name).list({ prefix, limit: 1000 });
    return objects.map(({ key }) => key);
  }

  /** Returns when an object was written, in milliseconds since the epoch. */
  async writtenAt(key: string): Promise<number> {
    const { objects } = await bucketPort(this.#storage, this.#name).list({ prefix: key, limit: 1000 });
    return Date.parse(objects.find((object) => object.key === key)?.last_modified ?? "");
  }

  async get(key: string): Promise<StoredObject | undefined> {
    const answer = await this.#storage.fetch("r2", this.#name, {
      method: "GET",
      path: "/",
      headers: { [REQUEST_HEADER]: asciiJson({ version: 1, method: "get", object: key }) },
    });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw new Error(`the object store said ${answer.status}`);
    const size = z.coerce.number().parse(answer.headers[METADATA_SIZE_HEADER]);
    const { customFields } = metadata.parse(JSON.parse(answer.body.subarray(0, size).toString("utf8")));
    return {
      customMetadata: Object.fromEntries(customFields.map(({ k, v }) => [k, v])),
      content: answer.body.subarray(size),
    };
  }

  async put(key: string, content: string | Uint8Array, customMetadata: Record<string, string> = {}): Promise<void> {
    const customFields = Object.entries(customMetadata).map(([k, v]) => ({ k, v }));
    const ask = Buffer.from(JSON.stringify({ version: 1, method: "put", object: key, customFields }));
    const { status } = await this.#storage.fetch("r2", this.#name, {
      method: "PUT",
      path: "/",
      headers: { [METADATA_SIZE_HEADER]: String(ask.byteLength) },
      body: Buffer.concat([ask, Buffer.from(content)]),
    });
    if (status !== 200) throw new Error(`the object store said ${status}`);
  }

  async delete(...keys: string[]): Promise<void> {
    for (const key of keys) await bucketPort(this.#storage, this.#name).delete(key);
  }
}
