import type { Instance } from "#containers/deployments.ts";
import type { HyperdriveRecord } from "../kinds/hyperdrive/record.ts";

/** KV and R2 contents are in workerd's storage, so that bindings and the API see the same data. */
export interface KvEntry {
  name: string;
  /** Seconds since the epoch. */
  expiration?: number | undefined;
  metadata?: unknown;
}

interface ListOptions {
  prefix?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface KvPort {
  get(key: string): Promise<(Omit<KvEntry, "name"> & { value: Uint8Array }) | undefined>;
  put(
    key: string,
    value: Uint8Array,
    options: { expiration?: number | undefined; expirationTtl?: number | undefined; metadata?: unknown },
  ): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: ListOptions): Promise<{ keys: KvEntry[]; cursor?: string | undefined }>;
}

interface BucketObject {
  key: string;
  size: number;
  etag: string;
  last_modified: string;
}

export interface BucketPort {
  list(options: ListOptions): Promise<{ objects: BucketObject[]; cursor?: string | undefined }>;
  delete(key: string): Promise<void>;
}

export interface RuntimePort {
  /** Connects to the database of a Hyperdrive configuration. @throws ApiError 400 when that fails */
  checkOrigin(origin: HyperdriveRecord["origin"]): Promise<void>;
  kv(namespaceId: string): KvPort;
  bucket(name: string): BucketPort;
  /** Returns the running containers of an application. */
  containerInstances(applicationId: string): Instance[];
  /** Whether containers can start with an image. */
  canPull(image: string): boolean;
  /** Stops a script's containers and deletes their disks; the next call starts new ones. */
  endContainers(script: { namespace: string; name: string }): Promise<void>;
}
