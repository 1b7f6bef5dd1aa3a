/** What gateways remember over a restart: their logs, and what was spent. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SpendLimits } from "./limits/spend-limits.ts";
import { LogStore } from "./logs/log-store.ts";

export class GatewayState {
  readonly logs: LogStore;
  readonly spending: SpendLimits;
  readonly #database: DatabaseSync;

  /** @param directory where `ai-gateway.sqlite` lies; made if missing */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, "ai-gateway.sqlite");
    this.#database = new DatabaseSync(path);
    // It holds what tenants ask and are answered.
    chmodSync(path, 0o600);
    // What a crash of the machine loses are the last entries of a log; a flush each request would be felt.
    this.#database.exec("pragma journal_mode = wal; pragma synchronous = normal;");
    this.logs = new LogStore(this.#database);
    this.spending = new SpendLimits(this.#database);
  }

  /** Forgets a gateway that is no more: one of the same name later is another. */
  forget(gateway: string): void {
    this.logs.forget(gateway);
    this.spending.forget(gateway);
  }

  close(): void {
    this.#database.close();
  }
}
