/** In-memory namespaces and buckets, and a list of stopped containers, for tests without a runtime. */
import type { BucketPort, KvPort, RuntimePort } from "../runtime-port.ts";

interface KvValue {
  value: Uint8Array;
  metadata?: unknown;
  expiration?: number;
}

export class FakeRuntime implements RuntimePort {
  readonly #namespaces = new Map<string, Map<string, KvValue>>();
  readonly #buckets = new Map<string, Map<string, Uint8Array>>();

  /** Scripts whose containers were stopped, as `namespace/name`. */
  readonly endedContainers: string[] = [];

  /** Images that cannot be pulled. */
  readonly missingImages = new Set<string>();
  containerInstances: RuntimePort["containerInstances"] = () => [];
  /** Origins that were checked. Any is accepted. */
  readonly checkedOrigins: unknown[] = [];

  canPull(image: string): boolean {
    return !this.missingImages.has(image);
  }

  async checkOrigin(origin: unknown): Promise<void> {
    this.checkedOrigins.push(origin);
  }

  /** Puts an object like a Worker does. */
  putObject(bucket: string, key: string, bytes: Uint8Array): void {
    this.#objects(bucket).set(key, bytes);
  }

  #objects(name: string): Map<string, Uint8Array> {
    const objects = this.#buckets.get(name) ?? new Map<string, Uint8Array>();
    this.#buckets.set(name, objects);
    return objects;
  }

  async endContainers({ namespace, name }: { namespace: string; name: string }): Promise<void> {
    this.endedContainers.push(`${namespace}/${name}`);
  }

  kv(namespaceId: string): KvPort {
    const entries = this.#namespaces.get(namespaceId) ?? new Map<string, KvValue>();
    this.#namespaces.set(namespaceId, entries);
    return {
      get: async (key) => entries.get(key),
      put: async (key, value, { expiration, expirationTtl, metadata }) => {
        const end = expirationTtl === undefined ? expiration : Math.floor(Date.now() / 1000) + expirationTtl;
        entries.set(key, {
          value,
          ...(end === undefined ? {} : { expiration: end }),
          ...(metadata === undefined ? {} : { metadata }),
        });
      },
      delete: async (key) => {
        entries.delete(key);
      },
      list: async ({ prefix = "", limit, cursor }) => {
        const { page, next } = pageOf([...entries.keys()], prefix, limit, cursor);
        const keys = page.map((name) => {
          const { value: _, ...rest } = entries.get(name) ?? { value: new Uint8Array() };
          return { name, ...rest };
        });
        return { keys, ...next };
      },
    };
  }

  bucket(name: string): BucketPort {
    const objects = this.#objects(name);
    return {
      delete: async (key) => {
        objects.delete(key);
      },
      list: async ({ prefix = "", limit, cursor }) => {
        const { page, next } = pageOf([...objects.keys()], prefix, limit, cursor);
        const found = page.map((key) => ({
          key,
          size: objects.get(key)?.byteLength ?? 0,
          etag: key,
          last_modified: new Date(0).toISOString(),
        }));
        return { objects: found, ...next };
      },
    };
  }
}

function pageOf(names: string[], prefix: string, limit: number, cursor: string | undefined) {
  const rest = names
    .filter((name) => name.startsWith(prefix) && (cursor === undefined || name > cursor))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { page, next: rest.length > page.length && last !== undefined ? { cursor: last } : {} };
}
