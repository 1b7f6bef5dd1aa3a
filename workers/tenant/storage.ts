/** The part of a Durable Object's key-value storage that is used. */
export interface KeyValueStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<unknown>;
}

/** Values of a Durable Object's SQLite storage. */
export type SqlValue = string | number | null | ArrayBuffer;

/** The part of a Durable Object's SQLite storage that is used. */
export interface SqlStore {
  sql: { exec(query: string, ...bindings: SqlValue[]): { toArray(): Record<string, unknown>[] } };
  /** Rolls back when `work` throws. */
  transactionSync<T>(work: () => T): T;
}
