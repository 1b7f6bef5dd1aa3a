/**
 * Records new devices from the lists that the gateway reports. The health snapshot reports them.
 *
 * A paired device is new if it was paired after every pairing that was seen before. So a restored state, which has an older list, reports
 * nothing, and a device that was removed is new again when it is paired again.
 */
import * as z from "zod";
import { type DeviceList, MAX_NEW_DEVICES, type NewDevice, newDevice } from "#workers/contracts/tenant/devices.ts";
import { DAY_MS } from "../backup/stored/retention.ts";
import type { KeyValueStorage } from "../storage.ts";

const KEY = "devices-seen";
/** How long a device is reported: the automation service may be down for a time. */
const REPORTED_MS = 2 * DAY_MS;
/** Age from which a request counts: OpenClaw itself approves browsers and setup codes a moment after they ask. */
const ASKED_FOR_MS = 5_000;
/** A program may ask forever, and OpenClaw ends each request after five minutes. */
const ASKED_AGAIN_MS = DAY_MS;
/** Most remembered devices that asked. */
const MAX_ASKED = 400;
/** How far the container's clock may be ahead. A later time would hide the devices that are paired until then. */
const MAX_AHEAD_MS = 10 * 60_000;

const seen = z.object({
  /** Time of the newest pairing. */
  newest: z.number(),
  /** Devices that asked to be paired and are not paired yet, and when that was first seen. */
  asked: z.array(z.tuple([z.string(), z.number()])),
  /** Oldest first. */
  reports: z.array(newDevice.extend({ seenAt: z.number() })),
});
type Seen = z.infer<typeof seen>;
type Device = DeviceList["paired"][number];
type Described = Pick<Device, "deviceId" | "name" | "client" | "platform">;

export class NewDevices {
  readonly #storage: KeyValueStorage;
  #observing: Promise<void> = Promise.resolve();

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  /** Compares a list with the earlier ones. The first one reports nothing. */
  observe(list: DeviceList): Promise<void> {
    const observe = () => this.#observe(list);
    this.#observing = this.#observing.then(observe, observe);
    return this.#observing;
  }

  /** Returns the last new devices, oldest first. */
  async recent(): Promise<NewDevice[]> {
    const { reports = [] } = (await this.#seen()) ?? {};
    return recentOf(reports, Date.now()).map(({ seenAt: _, ...report }) => report);
  }

  async #observe(list: DeviceList): Promise<void> {
    const before = await this.#seen();
    const after = compare(before, list, Date.now());
    // An unchanged list is frequent.
    if (JSON.stringify(after) !== JSON.stringify(before)) await this.#storage.put(KEY, after);
  }

  async #seen(): Promise<Seen | undefined> {
    return seen.safeParse(await this.#storage.get(KEY)).data;
  }
}

const recentOf = (reports: Seen["reports"], now: number) => reports.filter(({ seenAt }) => seenAt > now - REPORTED_MS);

function compare(before: Seen | undefined, { pending, paired }: DeviceList, now: number): Seen {
  const known = paired.filter((device) => pairedAt(device) <= now + MAX_AHEAD_MS);
  const asked = new Map(before?.asked.filter(([, at]) => at > now - ASKED_AGAIN_MS));
  const found: Seen["reports"] = [];
  const report = ({ deviceId: id, client, name = client, platform }: Described, at: number, waits: boolean) =>
    found.push({
      id,
      at: new Date(at).toISOString(),
      waits,
      ...(name !== undefined && { name }),
      ...(platform !== undefined && { platform }),
      seenAt: now,
    });
  for (const device of known) {
    const isNew = before !== undefined && pairedAt(device) > before.newest;
    // An administrator approved a request that was reported.
    const isApproved = asked.delete(device.deviceId);
    if (isNew && !isApproved && device.byLogin === undefined) report(device, pairedAt(device), false);
  }
  const ids = new Set(paired.map(({ deviceId }) => deviceId));
  for (const device of pending) {
    // A paired device asks for more rights.
    if (asked.has(device.deviceId) || ids.has(device.deviceId) || device.at > now - ASKED_FOR_MS) continue;
    asked.set(device.deviceId, now);
    if (before !== undefined) report(device, device.at, true);
  }
  return {
    newest: Math.max(before?.newest ?? now, ...known.map(pairedAt)),
    asked: [...asked].slice(-MAX_ASKED),
    // A user who pairs devices without end must not send mails without end.
    reports: [...recentOf(before?.reports ?? [], now), ...found.toSorted(byTime)].slice(0, MAX_NEW_DEVICES),
  };
}

const byTime = (one: NewDevice, other: NewDevice): number => Date.parse(one.at) - Date.parse(other.at);

const pairedAt = ({ pairedAt, at }: Device): number => pairedAt ?? at;
