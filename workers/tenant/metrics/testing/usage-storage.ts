/** The part of a Durable Object's storage that the usage meter uses, over SQLite in memory. */
import { DatabaseSync } from "node:sqlite";
import type { UsageStorage } from "../usage-store.ts";

export function usageStorage(): UsageStorage {
  const database = new DatabaseSync(":memory:");
  let depth = 0;
  return {
    sql: {
      exec: (query, ...bindings) => {
        const rows = database.prepare(query).all(...bindings);
        return { toArray: () => rows };
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
