import { expect, test } from "vitest";
import { sandboxStatus } from "./sandbox-status.ts";

test("reads the other fields when the gateway's sleep status is malformed", () => {
  const status = { ts: "2030-01-01T00:00:00.000Z", sandbox: "awake", warnings: [] };
  const far = { ...status, sleep: { afterSeconds: 60, nextJobAt: "+010000-01-01T23:58:59.000Z" } };
  expect(sandboxStatus.parse(far)).toEqual(status);
});
