import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SpendLimits } from "./limits/spend-limits.ts";
import { LogStore } from "./logs/log-store.ts";

export class GatewayState {
  readonly logs: LogStore;
  readonly spending: SpendLimits;
  readonly #database: DatabaseSync;

  /** @param directory of `ai-gateway.sqlite`; created when missing */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, "ai-gateway.sqlite");
    this.#database = new DatabaseSync(path);
    // It has requests and responses of tenants.
    chmodSync(path, 0o600);
    // A crash of the machine loses the last entries. A flush per request would be slow.
    this.#database.exec("pragma journal_mode = wal; pragma synchronous = normal;");
    this.logs = new LogStore(this.#database);
    this.spending = new SpendLimits(this.#database);
  }

  removeAll(gateway: string): void {
    this.logs.removeAll(gateway);
    this.spending.removeAll(gateway);
  }

  close(): void {
    this.#database.close();
  }
}
