import { expect, test } from "vitest";
import { networkOf } from "#workers/shared/client-network.ts";
import { HealthLimit } from "./health-limit.ts";

const BURST = 120;

/** Returns how many of `calls` from alternating addresses pass. */
function passed(calls: number, address: (call: number) => string): number {
  const limit = new HealthLimit(() => 0);
  const waits = Array.from({ length: calls }, (_, call) =>
    limit.take("acme", { caller: "anonymous", name: networkOf(address(call)) }),
  );
  return waits.filter((wait) => wait === 0).length;
}

test("counts all addresses of an IPv6 /64 network together", () => {
  const hex = (call: number) => call.toString(16);
  expect(passed(300, (call) => `2001:db8:1:2::${hex(call + 1)}`)).toBe(BURST);
  expect(passed(300, (call) => (call % 2 ? `2001:DB8:1:2::${hex(call)}` : `2001:0db8:1:2:0:0:0:${hex(call)}`))).toBe(
    BURST,
  );
  expect(passed(300, (call) => `2001:db8:1:${hex(call)}::1`)).toBe(300);
  expect(passed(300, (call) => `2001:db8::${hex(call)}`)).toBe(BURST);
});

test("counts each IPv4 address separately, in any notation", () => {
  expect(passed(300, (call) => `192.0.2.${call % 2}`)).toBe(2 * BURST);
  expect(passed(300, (call) => `::ffff:192.0.2.${call % 2}`)).toBe(2 * BURST);
  expect(passed(300, () => "")).toBe(BURST);
});

test("limits anonymous callers, users and the platform separately, per tenant and caller", () => {
  const limit = new HealthLimit(() => 0);
  const drain = (caller: "anonymous" | "user" | "platform", names: number) => {
    let calls = 0;
    for (let name = 0; name < names; name += 1) {
      while (limit.take("acme", { caller, name: String(name) }) === 0) calls += 1;
    }
    return calls;
  };
  expect(drain("anonymous", 20)).toBe(600);
  expect(drain("user", 1)).toBe(BURST);
  expect(drain("user", 20)).toBe(600 - BURST);
  expect(drain("platform", 1)).toBe(600);
  expect(limit.take("globex", { caller: "anonymous", name: "0" })).toBe(0);
});
