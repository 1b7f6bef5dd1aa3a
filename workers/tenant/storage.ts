/** The part of a Durable Object's key-value storage that is used. */
export interface KeyValueStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<unknown>;
}
