/** Positions in the gateways' logs, kept beside the tenants' entries. */
import { type LogPosition, logPosition, type PositionStore } from "./log-position.ts";

const SECONDS_KEPT = 7 * 24 * 3600;

/** The tenants' keys begin otherwise. */
const keyOf = (environment: string, gateway: string) => `ai-gateway-log:${environment}:${gateway}`;

/** A value that is not the newest makes entries be handed on twice, which their tenants notice. */
export class LogPositions implements PositionStore {
  readonly #kv: KVNamespace;
  readonly #environment: string;

  constructor(kv: KVNamespace, environment: string) {
    this.#kv = kv;
    this.#environment = environment;
  }

  async read(gateway: string): Promise<LogPosition | undefined> {
    return logPosition.safeParse(await this.#kv.get(keyOf(this.#environment, gateway), "json")).data;
  }

  async write(gateway: string, position: LogPosition): Promise<void> {
    await this.#kv.put(keyOf(this.#environment, gateway), JSON.stringify({ v: 1, ...position }), {
      expirationTtl: SECONDS_KEPT,
    });
  }
}
