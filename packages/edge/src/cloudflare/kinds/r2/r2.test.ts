import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";
import { deleteExpired } from "./lifecycle.ts";

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
  await server.cloudflare.r2.buckets.create({ account_id, name: "backup" });
});
afterEach(() => server.close());

test("a bucket with objects is not deleted", async () => {
  const { buckets } = server.cloudflare.r2;
  for (const key of ["backups/1/a", "backups/1/b", "other"]) {
    server.runtime.putObject("backup", key, new Uint8Array(3));
  }
  const full = buckets.delete("backup", { account_id });
  expect(await refusal(full)).toMatchObject({ status: 409, codes: [10008] });

  const found: unknown[] = [];
  const pages: number[] = [];
  const list = await buckets.objects.list("backup", { account_id, prefix: "backups/", per_page: 1 });
  for await (const page of list.iterPages()) {
    pages.push(page.getPaginatedItems().length);
    found.push(...page.getPaginatedItems().map((object) => object.key));
  }
  expect({ found, pages }).toEqual({ found: ["backups/1/a", "backups/1/b"], pages: [1, 1] });

  for (const key of ["backups/1/a", "backups/1/b", "other"]) {
    expect(await buckets.objects.delete(key, { account_id, bucket_name: "backup" })).toEqual({ key });
  }
  await buckets.delete("backup", { account_id });
  expect(await refusal(buckets.get("backup", { account_id }))).toMatchObject({ status: 404, codes: [10006] });
});

test("lifecycle rules are stored unchanged", async () => {
  const { lifecycle } = server.cloudflare.r2.buckets;
  expect(await lifecycle.get("backup", { account_id })).toEqual({ rules: [] });
  const rule = {
    id: "expire",
    enabled: true,
    conditions: { prefix: "backups/" },
    deleteObjectsTransition: { condition: { type: "Age" as const, maxAge: 2_592_000 } },
  };
  await lifecycle.update("backup", { account_id, rules: [rule] });
  expect(await lifecycle.get("backup", { account_id })).toEqual({ rules: [rule] });
  const twice = lifecycle.update("backup", { account_id, rules: [rule, rule] });
  expect(await refusal(twice)).toMatchObject({ status: 400, codes: [10061] });
});

test("an enabled lifecycle rule deletes the objects of its prefix that are older", async () => {
  const { lifecycle } = server.cloudflare.r2.buckets;
  const day = 86_400;
  const rule = (id: string, prefix: string, enabled: boolean, maxAge: number) => ({
    id,
    enabled,
    conditions: { prefix },
    deleteObjectsTransition: { condition: { type: "Age" as const, maxAge } },
  });
  const rules = [rule("month", "backups/", true, 30 * day), rule("off", "", false, day)];
  await lifecycle.update("backup", { account_id, rules });
  for (const key of ["backups/a", "logos/a"]) server.runtime.putObject("backup", key, new Uint8Array(1));
  // Objects of the runtime are of the start of the epoch.
  expect(await deleteExpired(server.store, server.runtime, 30 * day * 1000 - 1)).toEqual([]);
  expect(await deleteExpired(server.store, server.runtime, 30 * day * 1000)).toEqual(["backup/backups/a"]);
  expect(await deleteExpired(server.store, server.runtime, Date.now())).toEqual([]);
});

test("another jurisdiction is refused", async () => {
  const europe = server.cloudflare.r2.buckets.create({ account_id, name: "europe", "cf-r2-jurisdiction": "eu" });
  expect(await refusal(europe)).toMatchObject({ status: 501 });
});
