import { expect, test } from "vitest";
import { heartbeatOf } from "./heartbeat.ts";

const source = (latestHeartbeat: (slug: string) => Promise<string | undefined>) => ({ latestHeartbeat });

test("a heartbeat is told with its time, and one that is not known with why", async () => {
  const at = "2026-11-23T10:00:00Z";
  const known = source(async (slug) => (slug === "acme" ? at : undefined));
  expect(await heartbeatOf(known, "acme")).toEqual({ at, reason: null });
  expect(await heartbeatOf(known, "other")).toEqual({ at: null, reason: expect.stringContaining("no heartbeat") });
  const away = source(() => Promise.reject(new Error("secret of the dataset")));
  expect(await heartbeatOf(away, "acme")).toEqual({ at: null, reason: expect.stringContaining("does not answer") });
  expect(await heartbeatOf(undefined, "acme")).toEqual({ at: null, reason: expect.stringContaining("no access") });
});
