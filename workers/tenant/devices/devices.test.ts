import { describe, expect, test } from "vitest";
import { PortClosed } from "../sandbox/port.ts";
import { Devices } from "./devices.ts";

const AT = 1_700_000_000_000;
const PAIRED = { deviceId: "d1", name: "Laptop", roles: ["node"], scopes: [], at: AT, connected: true };

/** @param answer of the gateway; none for one that does not run */
function devicesOf(answer?: () => Promise<{ status: number; body: string }>) {
  const recorded: unknown[] = [];
  const observed: unknown[] = [];
  const gateway = { id: "1", type: "gateway", status: "running" } as const;
  const devices = new Devices({
    sandbox: {
      listProcesses: async () => ({ processes: answer ? [gateway] : [] }),
      post: answer ?? (async () => expect.fail()),
    },
    key: { sign: async () => "order" },
    record: (...event) => void recorded.push(event),
    found: { observe: async (list) => void observed.push(list) },
  });
  return { devices, recorded, observed };
}
const answering = (status: number, body: string) => devicesOf(async () => ({ status, body }));
const refusal = (reason: string) => ({ refused: expect.objectContaining({ reason }) });
const APPROVAL = { call: "approve", id: "r1" } as const;

test("lists devices without what the contract does not name, and records a change", async () => {
  const body = JSON.stringify({ pending: [], paired: [{ ...PAIRED, token: "t", publicKey: "k" }] });
  const listed = answering(200, body);
  expect(await listed.devices.list()).toEqual({ pending: [], paired: [PAIRED] });
  expect(listed.observed).toEqual([{ pending: [], paired: [PAIRED] }]);
  const { devices, recorded } = answering(200, JSON.stringify({ device: PAIRED }));
  expect(await devices.change(APPROVAL)).toEqual({ device: { deviceId: "d1", name: "Laptop" } });
  expect(recorded).toEqual([["device.approve", { device: "d1" }]]);
});

describe("a gateway", () => {
  test.each([
    ["of an earlier image that has no such path", 404, "{}", "devices_not_supported"],
    ["of an earlier image that sends a page", 404, "<!doctype html>", "devices_not_supported"],
    ["that answers every path with a page", 200, "<!doctype html>", "devices_not_supported"],
    ["that answers with another object", 200, '{"device":{}}', "devices_not_supported"],
    ["whose device no longer exists", 404, '{"unknown":true}', "device_not_found"],
    ["that refuses the order", 403, "{}", "devices_not_answered"],
    ["that rejects the call", 503, '{"error":"starting"}', "devices_not_answered"],
  ])("%s is no fault", async (_, status, body, reason) => {
    const { devices, recorded } = answering(status, body);
    expect(await devices.change(APPROVAL)).toEqual(refusal(reason));
    expect(recorded).toEqual([]);
  });

  test("that does not run, or ends meanwhile, is no fault", async () => {
    expect(await devicesOf().devices.list()).toEqual(refusal("devices_need_running_agent"));
    const ended = devicesOf(() => Promise.reject(new PortClosed(18789)));
    expect(await ended.devices.list()).toEqual(refusal("devices_not_answered"));
  });
});
