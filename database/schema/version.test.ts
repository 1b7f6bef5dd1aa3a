/** Which versions of the code a database accepts, before anything changes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { RELEASE } from "#domain/release.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { refuseOtherVersion } from "./version.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

type Use = Parameters<typeof refuseOtherVersion>[1];

async function answers(version: string, compatibleFrom: string): Promise<Record<Use, string>> {
  await database.pool.query("update tenantry.schema_version set version = $1, compatible_from = $2", [
    version,
    compatibleFrom,
  ]);
  const of = (use: Use) =>
    refuseOtherVersion(database.pool, use).then(
      () => "",
      (error: Error) => error.message,
    );
  return { platform: await of("platform"), tenants: await of("tenants"), service: await of("service") };
}

test("the schema of this version is accepted", async () => {
  expect(await answers(RELEASE, "0.1.0")).toEqual({ platform: "", tenants: "", service: "" });
});

test("a later schema refuses the platform's deployment, and lets compatible tenants and services work", async () => {
  expect(await answers("9.1.0", RELEASE)).toEqual({
    platform: `The database has the schema of version 9.1.0, and this is version ${RELEASE}. Deploy version 9.1.0 or later. Nothing was changed.`,
    tenants: "",
    service: "",
  });
});

test("a later schema refuses code that it does not support", async () => {
  const refusal = `The database has the schema of version 9.1.0, and this is version ${RELEASE}, which the schema does not support. Deploy version 9.0.0 or later. Nothing was changed.`;
  expect(await answers("9.1.0", "9.0.0")).toMatchObject({ tenants: refusal, service: refusal });
});

test("an earlier schema is the platform's to upgrade", async () => {
  const refusal = `The database has the schema of version 0.1.9, and this is version ${RELEASE}. Deploy the platform with this version first. Nothing was changed.`;
  expect(await answers("0.1.9", "0.1.0")).toEqual({ platform: "", tenants: refusal, service: refusal });
});
