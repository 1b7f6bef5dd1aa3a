import { RunError } from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { readFleetSnapshot } from "./snapshot.ts";

test("is empty without a deployed platform", async () => {
  expect(await readFleetSnapshot(undefined, "production")).toMatchObject({ empty: true, pool: [] });
});

test("names the setting of a malformed database URL, without its text", async () => {
  const fault = await readFleetSnapshot("db.example.com?password=hush", "production").catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(RunError);
  expect((fault as Error).message).toMatch(/^tenantry:databaseUrl: .*postgres:\/\/user:password@host/);
  expect((fault as Error).message).not.toContain("hush");
});
