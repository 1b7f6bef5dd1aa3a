import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { stateError } from "#domain/errors/stated.ts";
import { deviceErrors } from "#domain/errors/tenants/devices.ts";
import { type DeviceList, deviceList, MAX_NEW_DEVICES } from "#workers/contracts/tenant/devices.ts";
import { memoryStorage } from "../sleep/testing/memory-storage.ts";
import { DeviceWatch } from "./device-watch.ts";
import { NewDevices } from "./new-devices.ts";

const START = Date.parse("2026-11-01T10:00:00.000Z");
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const at = (minute: number) => START + minute * MINUTE_MS;
const iso = (minute: number) => new Date(at(minute)).toISOString();

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  onTestFinished(() => void vi.useRealTimers());
});

const described = (deviceId: string) => ({ deviceId, name: `Name of ${deviceId}`, platform: "linux" });
const asking = (id: string, minute: number) => ({ ...described(id), requestId: `r-${id}-${minute}`, at: at(minute) });
const paired = (id: string, minute: number, more: object = {}) => ({
  ...described(id),
  at: at(minute),
  pairedAt: at(minute),
  connected: true,
  ...more,
});

/** Observes lists, each at a minute. */
function observer() {
  const storage = memoryStorage();
  let found = new NewDevices(storage);
  return {
    see: (minute: number, list: { pending?: object[]; paired?: object[] }) => {
      vi.setSystemTime(at(minute));
      const terms = { roles: [], scopes: [] };
      const of = (devices: object[] = []) => devices.map((device) => ({ ...terms, ...device }));
      return found.observe(deviceList.parse({ pending: of(list.pending), paired: of(list.paired) }));
    },
    /** Returns the reported devices: `asks` or `paired`, with the time. */
    reported: async () => (await found.recent()).map(({ id, waits, at }) => [id, waits ? "asks" : "paired", at]),
    recent: () => found.recent(),
    restart: () => {
      found = new NewDevices(storage);
    },
  };
}

describe("new devices", () => {
  test("are none of the first list, and later those that ask or are paired, with name and platform", async () => {
    const { see, reported, recent, restart } = observer();
    await see(0, { pending: [asking("asks", -1)], paired: [paired("old", -60)] });
    await see(1, { pending: [asking("asks", -1)], paired: [paired("old", -60)] });
    expect(await recent()).toEqual([]);
    // The request of the first list is approved.
    await see(2, { paired: [paired("asks", 2), paired("old", -60), paired("by-code", 1.5)] });
    restart();
    await see(3, { pending: [asking("new", 2.5)], paired: [paired("asks", 2), paired("by-code", 1.5)] });
    expect(await reported()).toEqual([
      ["by-code", "paired", iso(1.5)],
      ["new", "asks", iso(2.5)],
    ]);
    expect((await recent())[1]).toEqual({
      id: "new",
      at: iso(2.5),
      waits: true,
      name: "Name of new",
      platform: "linux",
    });
  });

  test("are also those after an empty first list", async () => {
    const { see, reported } = observer();
    await see(0, {});
    // OpenClaw lists the newest first.
    await see(1, { paired: [paired("second", 0.6), paired("first", 0.5)] });
    expect(await reported()).toEqual([
      ["first", "paired", iso(0.5)],
      ["second", "paired", iso(0.6)],
    ]);
  });

  test("are reported once for a request and its approval, and again after a removal", async () => {
    const { see, reported } = observer();
    await see(0, {});
    await see(1, { pending: [asking("d", 0.5)] });
    await see(2, { paired: [paired("d", 1.5)] });
    const first = ["d", "asks", iso(0.5)];
    expect(await reported()).toEqual([first]);
    await see(3, {});
    await see(4, { paired: [paired("d", 3.5)] });
    const second = ["d", "paired", iso(3.5)];
    expect(await reported()).toEqual([first, second]);
    await see(5, {});
    await see(6, { pending: [asking("d", 5.5)] });
    expect(await reported()).toEqual([first, second, ["d", "asks", iso(5.5)]]);
    // Removed and paired again between two lists.
    await see(7, { paired: [paired("d", 6.5)] });
    await see(8, { paired: [paired("d", 7.5)] });
    expect((await reported()).at(-1)).toEqual(["d", "paired", iso(7.5)]);
  });

  test("are no known ones that ask for more rights or get them", async () => {
    const { see, recent } = observer();
    await see(0, { paired: [paired("d", -60)] });
    await see(1, { pending: [asking("d", 0.5)], paired: [paired("d", -60)] });
    await see(2, { paired: [paired("d", -60, { at: at(1.5) })] });
    expect(await recent()).toEqual([]);
  });

  test("are no browsers of users who logged in", async () => {
    const { see, recent } = observer();
    await see(0, {});
    await see(1, { paired: [paired("browser", 0.5, { byLogin: true })] });
    expect(await recent()).toEqual([]);
  });

  test("are no requests that OpenClaw approves a moment later", async () => {
    const { see, reported } = observer();
    await see(0, {});
    await see(1, { pending: [asking("browser", 0.99), asking("code", 0.99), asking("waits", 0.99)] });
    expect(await reported()).toEqual([]);
    const browser = paired("browser", 0.99, { byLogin: true });
    await see(2, { pending: [asking("waits", 0.99)], paired: [browser, paired("code", 0.99)] });
    expect(await reported()).toEqual([
      ["code", "paired", iso(0.99)],
      ["waits", "asks", iso(0.99)],
    ]);
  });

  test("that ask without end are reported once a day", async () => {
    const { see, reported } = observer();
    await see(0, {});
    const day = DAY_MS / MINUTE_MS;
    for (const minute of [1, 7, 60, day, day + 2, day + 60]) {
      await see(minute + 0.5, { pending: [asking("d", minute)] });
      await see(minute + 1, {});
    }
    expect(await reported()).toEqual([
      ["d", "asks", iso(1)],
      ["d", "asks", iso(day + 2)],
    ]);
  });

  test("are none of a restored state", async () => {
    const { see, recent } = observer();
    const [old, removed] = [paired("old", -60), paired("removed", -30)];
    await see(0, { paired: [old, removed] });
    await see(1, { paired: [old] });
    await see(2, { paired: [old, paired("browser", 1.5, { byLogin: true })] });
    // A backup from before the removal, then the present state again.
    await see(3, { paired: [old, removed] });
    await see(4, { paired: [old, paired("browser", 1.5, { byLogin: true })] });
    // A backup from before the first list.
    await see(5, { paired: [paired("ancient", -600), old] });
    expect(await recent()).toEqual([]);
  });

  test("wait until a clock that is ahead is reached, and do not hide others", async () => {
    const { see, reported } = observer();
    await see(0, {});
    await see(1, { paired: [paired("ahead", 60)] });
    await see(2, { paired: [paired("ahead", 60), paired("d", 1.5)] });
    expect(await reported()).toEqual([["d", "paired", iso(1.5)]]);
    await see(55, { paired: [paired("ahead", 60), paired("d", 1.5)] });
    expect((await reported()).at(-1)).toEqual(["ahead", "paired", iso(60)]);
  });

  test("are limited in number, and forgotten after two days", async () => {
    const { see, recent } = observer();
    await see(0, {});
    const many = Array.from({ length: MAX_NEW_DEVICES + 5 }, (_, one) => asking(`d${one}`, 0.5));
    await see(1, { pending: many });
    expect(await recent()).toHaveLength(MAX_NEW_DEVICES);
    await see(2, { pending: [...many, asking("later", 1.5)] });
    expect((await recent()).map(({ id }) => id)).not.toContain("later");
    vi.setSystemTime(START + 2 * DAY_MS + 2 * MINUTE_MS);
    expect(await recent()).toEqual([]);
  });

  test("of lists that arrive at the same time are all found", async () => {
    const { see, reported } = observer();
    await see(0, {});
    await Promise.all([see(1, { pending: [asking("a", 0.5)] }), see(1, { pending: [asking("b", 0.6)] })]);
    expect((await reported()).map(([id]) => id)).toEqual(["a", "b"]);
  });
});

describe("the list", () => {
  const LIST: DeviceList = { pending: [], paired: [] };
  const refused = (reason: "devices_not_supported" | "devices_not_answered") => async () => ({
    refused: stateError(deviceErrors[reason]),
  });

  /** Returns how often a gateway is asked by checks at these seconds. */
  async function asked(read: () => Promise<unknown>, seconds: number[]): Promise<number> {
    const listOfRunning = vi.fn(read as () => Promise<DeviceList>);
    const watch = new DeviceWatch({ devices: { listOfRunning }, waitUntil: () => {} });
    for (const second of seconds) {
      vi.setSystemTime(START + second * 1000);
      await watch.check();
    }
    return listOfRunning.mock.calls.length;
  }

  test.each([
    ["answers", async () => LIST, 2],
    ["does not answer for a moment", refused("devices_not_answered"), 2],
    ["fails", () => Promise.reject(new Error("the storage failed")), 2],
    ["is of an earlier image", refused("devices_not_supported"), 1],
  ] as const)("is read at most every 30 seconds of a gateway that %s", async (_, read, count) => {
    expect(await asked(read, [0, 10, 29, 31])).toBe(count);
    expect(await asked(read, [0, 3601])).toBe(2);
  });

  test("delays a check for at most a second", async () => {
    const watch = new DeviceWatch({ devices: { listOfRunning: () => new Promise(() => {}) }, waitUntil: () => {} });
    const check = watch.check();
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(check).resolves.toBeUndefined();
  });
});
