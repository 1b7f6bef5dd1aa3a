/** Every API part through the official SDK: create, read, list, update, delete, not found, wrong token. */
import type Cloudflare from "cloudflare";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apiParts } from "../kinds.ts";
import { cases } from "./testing/all-cases.ts";
import { type ApiServer, startApiServer } from "./testing/api-server.ts";
import type { Case } from "./testing/case.ts";
import { refusal } from "./testing/refusal.ts";

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

function ids(one: Case): Promise<string[]> {
  const { create } = one;
  if (create === undefined) return Promise.resolve(one.given ?? []);
  return [0, 1, 2].reduce<Promise<string[]>>(
    async (made, n) => [...(await made), await create(server.cloudflare, n)],
    Promise.resolve([]),
  );
}

test("every part of the table has a case", () => {
  expect(cases.map(({ part }) => part.title).toSorted()).toEqual(apiParts.map(({ title }) => title).toSorted());
});

describe.each(cases.map((one) => [one.part.title, one] as const))("%s", (_title, one) => {
  beforeEach(() => one.prepare?.(server));
  // Missing operations of a kind are not registered as tests, rather than skipped.
  const testOf = (operation: keyof Case) => (one[operation] === undefined ? () => {} : test);

  testOf("read")("reads a created item", async () => {
    const made = await ids(one);
    for (const [n, id] of made.entries()) {
      expect(await one.read?.(server.cloudflare, id)).toMatchObject(one.expected?.(n) ?? {});
    }
  });

  testOf("list")("lists all items in pages", async () => {
    const made = await ids(one);
    const listed = await one.list?.(server.cloudflare);
    expect(listed?.ids.toSorted()).toEqual([...new Set(made)].toSorted());
    expect(listed?.pages).toBe(one.pages ?? (made.length > 1 ? 2 : 1));
  });

  testOf("update")("updates one item only", async () => {
    const made = await ids(one);
    const [first = "", second] = made;
    await one.update?.(server.cloudflare, first);
    expect(await one.read?.(server.cloudflare, first)).toMatchObject(one.updated ?? {});
    if (second === undefined || second === first) return;
    expect(await one.read?.(server.cloudflare, second)).toMatchObject(one.expected?.(1) ?? {});
  });

  testOf("remove")("deletes one item only, and only once", async () => {
    const [first = "", ...others] = await ids(one);
    await one.remove?.(server.cloudflare, first);
    expect(await refusal(Promise.resolve(one.read?.(server.cloudflare, first)))).toMatchObject({
      status: one.missing?.status,
      codes: [one.missing?.code],
    });
    expect((await one.list?.(server.cloudflare))?.ids.toSorted()).toEqual(
      others.filter((id) => id !== first).toSorted(),
    );
  });

  testOf("missing")("responds with 404 to an unknown id", async () => {
    const { id = "", status, code } = one.missing ?? {};
    expect(await refusal(Promise.resolve(one.read?.(server.cloudflare, id)))).toMatchObject({ status, codes: [code] });
  });

  test("refuses a wrong token", async () => {
    const [first = ""] = await ids(one);
    const call = one.call ?? ((cloudflare: Cloudflare) => Promise.resolve(one.read?.(cloudflare, first)));
    expect(await refusal(call(server.stranger))).toMatchObject({ status: 403, codes: [10000] });
  });
});
