import { type ApiServer, account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, given } from "#cloudflare/api/testing/case.ts";
import { r2BucketsApi } from "../api.ts";

export const cases: Case[] = [
  {
    part: r2BucketsApi,
    create: async (cloudflare, n) =>
      given((await cloudflare.r2.buckets.create({ account_id, name: `backup-${n}`, locationHint: "weur" })).name),
    read: (cloudflare, id) => cloudflare.r2.buckets.get(id, { account_id }),
    expected: (n) => ({ name: `backup-${n}`, location: "weur", storage_class: "Standard" }),
    list: async (cloudflare) => {
      const ids: unknown[] = [];
      let pages = 0;
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const query = { per_page: 2, ...(cursor === undefined ? {} : { cursor }) };
        const answer: unknown = await cloudflare.get(`/accounts/${account_id}/r2/buckets`, { query });
        const page = answer as { result: { buckets: { name: string }[] }; result_info: { cursor?: string } };
        ids.push(...page.result.buckets.map((bucket) => bucket.name));
        cursor = page.result_info.cursor;
        pages += 1;
      }
      return { ids, pages };
    },
    update: (cloudflare, id) => cloudflare.r2.buckets.edit(id, { account_id, storage_class: "InfrequentAccess" }),
    updated: { storage_class: "InfrequentAccess" },
    remove: (cloudflare, id) => cloudflare.r2.buckets.delete(id, { account_id }),
    missing: { id: "no-bucket", status: 404, code: 10006 },
  },
];

/** Calls the operations that no case covers. */
export async function otherCalls({ cloudflare, runtime }: ApiServer): Promise<void> {
  const { buckets } = cloudflare.r2;
  await buckets.create({ account_id, name: "backup" });
  await buckets.list({ account_id });
  const rule = {
    id: "expire",
    enabled: true,
    conditions: { prefix: "backups/" },
    deleteObjectsTransition: { condition: { type: "Age" as const, maxAge: 2_592_000 } },
  };
  await buckets.lifecycle.update("backup", { account_id, rules: [rule] });
  await buckets.lifecycle.get("backup", { account_id });
  runtime.putObject("backup", "a/b", new Uint8Array(3));
  await buckets.objects.list("backup", { account_id, prefix: "a/" });
  await buckets.objects.delete("a/b", { account_id, bucket_name: "backup" });
}
