/**
 * Access to the runtime: contents of KV namespaces and buckets are in workerd's storage, so that bindings and the API see the same
 * data.
 */
export interface KvEntry {
  name: string;
  /** Seconds since the epoch. */
  expiration?: number;
  metadata?: unknown;
}

export interface KvPort {
  get(key: string): Promise<{ value: Uint8Array; metadata?: unknown; expiration?: number } | undefined>;
  put(
    key: string,
    value: Uint8Array,
    options: { expiration?: number; expirationTtl?: number; metadata?: unknown },
  ): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix?: string; limit: number; cursor?: string }): Promise<{ keys: KvEntry[]; cursor?: string }>;
}

export interface BucketObject {
  key: string;
  size: number;
  etag: string;
  last_modified: string;
}

export interface BucketPort {
  list(options: {
    prefix?: string;
    limit: number;
    cursor?: string;
  }): Promise<{ objects: BucketObject[]; cursor?: string }>;
  delete(key: string): Promise<void>;
}

export interface RuntimePort {
  kv(namespaceId: string): KvPort;
  bucket(name: string): BucketPort;
  /** Stops a script's containers and deletes their disks; the next call starts new ones. */
  endContainers(script: { namespace: string; name: string }): Promise<void>;
}
