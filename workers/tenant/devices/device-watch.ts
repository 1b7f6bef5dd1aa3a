/** Reads the list of devices during health checks, so that new devices are found. */
import { withTimeout } from "@tenantry/std/within";
import { deviceErrors } from "#domain/errors/tenants/devices.ts";
import { log } from "#workers/shared/log.ts";
import type { Devices } from "./devices.ts";

/** Least time between two readings, in milliseconds. The automation service checks once a minute, at a random time of it. */
const EVERY_MS = 30_000;
/** The same for a gateway that does not list devices. It may be replaced. */
const UNSUPPORTED_MS = 60 * 60_000;
/** How long a health check waits for the list, in milliseconds. A later answer counts for the next check. */
const WAIT_MS = 1_000;

export interface DeviceWatchOptions {
  devices: Pick<Devices, "listOfRunning">;
  waitUntil: (work: Promise<unknown>) => void;
}

export class DeviceWatch {
  readonly #o: DeviceWatchOptions;
  /** Milliseconds since the epoch. */
  #nextAt = 0;

  constructor(options: DeviceWatchOptions) {
    this.#o = options;
  }

  /** Reads the list of a running gateway if it is due. Does not reject. */
  async check(): Promise<void> {
    if (Date.now() < this.#nextAt) return;
    this.#nextAt = Date.now() + EVERY_MS;
    const reading = this.#read();
    this.#o.waitUntil(reading);
    await withTimeout(WAIT_MS, reading);
  }

  async #read(): Promise<void> {
    try {
      const outcome = await this.#o.devices.listOfRunning();
      const isUnsupported =
        "refused" in outcome && outcome.refused.reason === deviceErrors.devices_not_supported.reason;
      if (isUnsupported) this.#nextAt = Date.now() + UNSUPPORTED_MS;
    } catch (error) {
      log("error", "devices.not-read", { message: String(error) });
    }
  }
}
