/**
 * What the local API asks of the runtime: the contents of key-value namespaces and buckets, which live in workerd's own
 * storage so that a Worker's binding and the API see the same data; and the end of containers.
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
  /** Ends a script's containers, and their disks with them; the next call that needs one starts anew. */
  endContainers(script: { namespace: string; name: string }): Promise<void>;
}
