/** The part of a Durable Object's SQLite storage that is used, over SQLite in memory. */
import { DatabaseSync } from "node:sqlite";
import type { SqlStore } from "../../storage.ts";

export function sqlStore(): SqlStore {
  const database = new DatabaseSync(":memory:");
  let depth = 0;
  return {
    sql: {
      exec: (query, ...bindings) => {
        const given = bindings.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
        const rows = database.prepare(query).all(...given);
        return { toArray: () => rows.map((row) => Object.fromEntries(Object.entries(row).map(bufferOf))) };
      },
    },
    transactionSync(work) {
      const savepoint = `depth_${depth++}`;
      database.exec(`savepoint ${savepoint}`);
      try {
        const result = work();
        database.exec(`release ${savepoint}`);
        return result;
      } catch (error) {
        database.exec(`rollback to ${savepoint}; release ${savepoint}`);
        throw error;
      } finally {
        depth -= 1;
      }
    },
  };
}

/** A Durable Object returns blobs as buffers. */
const bufferOf = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  value instanceof Uint8Array ? new Uint8Array(value).buffer : value,
];
