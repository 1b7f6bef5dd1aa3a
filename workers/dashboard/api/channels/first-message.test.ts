import { expect, test } from "vitest";
import { stepsOf } from "./first-message.ts";

const bot = { kind: "telegram", account: { id: "700", name: "@acme_bot" }, pushed_at: new Date() } as const;
const webhook = (registration: Parameters<typeof stepsOf>[1]["registration"]) => ({ registration, error: null });

test.each([
  ["registered", []],
  ["unknown", []],
  ["none", [expect.stringContaining("Restart the gateway")]],
  ["elsewhere", [expect.stringContaining("to another system")]],
] as const)("after its first message, a channel whose webhook is %s has these steps", (registration, steps) => {
  expect(stepsOf(bot, webhook(registration), "accepted")).toEqual(steps);
});
