/** Measures what the container used since it woke. */
import type { SandboxPort } from "../sandbox/port.ts";
import type { UsageMeter } from "./usage-meter.ts";

const TIMEOUT_MS = 10_000;

export class ContainerUse {
  readonly #sandbox: Pick<SandboxPort, "listProcesses" | "kill">;
  readonly #meter: Pick<UsageMeter, "record">;

  constructor(sandbox: Pick<SandboxPort, "listProcesses" | "kill">, meter: Pick<UsageMeter, "record">) {
    this.#sandbox = sandbox;
    this.#meter = meter;
  }

  /** Measures the use so far. Call before the container ends. Does not reject. */
  async measure(): Promise<void> {
    const list = await this.#sandbox.listProcesses(AbortSignal.timeout(TIMEOUT_MS)).catch(() => undefined);
    if (list?.activity !== undefined) this.#meter.record(list.activity);
  }

  /** Ends the gateway and measures the use so far. */
  async endGateway(): Promise<void> {
    await this.#sandbox.kill();
    await this.measure();
  }
}
