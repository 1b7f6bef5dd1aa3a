/** Lists and changes the devices that are paired in the gateway, by orders that only this Worker can sign. */
import { parsedJson } from "@tenantry/std/parsed-json";
import * as z from "zod";
import { type StatedError, stateError } from "#domain/errors/stated.ts";
import { deviceErrors } from "#domain/errors/tenants/devices.ts";
import {
  type ChangedDevice,
  changedDevice,
  DEVICE_ORDER_PATH,
  type DeviceChange,
  type DeviceList,
  type DeviceOrder,
  deviceList,
} from "#workers/contracts/tenant/devices.ts";
import { GATEWAY_PORT } from "#workers/contracts/tenant/health-snapshot.ts";
import type { RecordEvent } from "../event-log.ts";
import type { TicketKey } from "../gateway/tickets/ticket-key.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import type { NewDevices } from "./new-devices.ts";

const ORDER_TIMEOUT_MS = 10_000;
const PROBE_MS = 3_000;

export type DeviceOutcome<T> = T | { refused: StatedError };

export interface DevicesOptions {
  sandbox: Pick<SandboxPort, "listProcesses" | "post">;
  key: Pick<TicketKey, "sign">;
  record: RecordEvent;
  found: Pick<NewDevices, "observe">;
}

export class Devices {
  readonly #o: DevicesOptions;

  constructor(options: DevicesOptions) {
    this.#o = options;
  }

  async list(): Promise<DeviceOutcome<DeviceList>> {
    return (await this.#refusal()) ?? this.listOfRunning();
  }

  /** As {@link list}, of a gateway that is known to run. */
  async listOfRunning(): Promise<DeviceOutcome<DeviceList>> {
    const outcome = await this.#order({ call: "list" }, deviceList);
    if ("paired" in outcome) await this.#o.found.observe(outcome);
    return outcome;
  }

  async change(change: DeviceChange): Promise<DeviceOutcome<ChangedDevice>> {
    const outcome = (await this.#refusal()) ?? (await this.#order(change, changedDevice));
    if ("device" in outcome) this.#o.record(`device.${change.call}`, { device: outcome.device.deviceId });
    return outcome;
  }

  /** Returns why a gateway that does not run cannot be asked. */
  async #refusal(): Promise<{ refused: StatedError } | undefined> {
    const { processes } = await this.#o.sandbox.listProcesses(AbortSignal.timeout(PROBE_MS));
    if (processes.some(({ type }) => type === "gateway")) return undefined;
    return { refused: stateError(deviceErrors.devices_need_running_agent) };
  }

  async #order<T extends object>(devices: DeviceOrder, shape: z.ZodType<T>): Promise<DeviceOutcome<T>> {
    const { sandbox, key } = this.#o;
    const order = await key.sign({ devices });
    let answer: { status: number; body: string };
    try {
      answer = await sandbox.post(GATEWAY_PORT, DEVICE_ORDER_PATH, order, AbortSignal.timeout(ORDER_TIMEOUT_MS));
    } catch {
      return { refused: stateError(deviceErrors.devices_not_answered) };
    }
    const { status, body } = answer;
    const json = z.looseObject({}).safeParse(parsedJson(body)).data;
    // An earlier image responds to an unknown path with 404, or a page.
    if (json === undefined) return { refused: stateError(deviceErrors.devices_not_supported) };
    if (status === 200) {
      const parsed = shape.safeParse(json);
      return parsed.success ? parsed.data : { refused: stateError(deviceErrors.devices_not_supported) };
    }
    if (status === 404 && devices.call !== "list" && "unknown" in json) {
      return { refused: stateError(deviceErrors.device_not_found) };
    }
    const isBusy = status >= 500 || status === 403;
    return { refused: stateError(deviceErrors[isBusy ? "devices_not_answered" : "devices_not_supported"]) };
  }
}
