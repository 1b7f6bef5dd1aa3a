/** R2 buckets of backups. The name of a bucket is its id, so its creation time distinguishes it from a later one. */
import * as z from "zod";
import { type AccountArgs, accountKind } from "../account-resource.ts";

const bucket = z.object({ name: z.string(), creation_date: z.string() });
const PAGE = 1000;

async function* listBuckets({ client, platform }: AccountArgs) {
  let after: string | undefined;
  for (;;) {
    const { buckets: page = [] } = await client.r2.buckets.list({
      account_id: platform.accountId,
      per_page: PAGE,
      order: "name",
      direction: "asc",
      ...(after !== undefined && { start_after: after }),
    });
    yield* page;
    const last = page.at(-1)?.name;
    if (page.length < PAGE || last === undefined || last === after) return;
    after = last;
  }
}

export const buckets = accountKind("bucket", {
  title: "bucket",
  right: "Workers R2 Storage (Read)",
  list: listBuckets,
  get: ({ client, account }, id) => client.r2.buckets.get(id, account),
  async hold({ client, platform }, id) {
    const page = await client.r2.buckets.objects.list(id, { account_id: platform.accountId, per_page: 1 });
    return page.result.length === 0 ? undefined : "it holds objects";
  },
  // Cloudflare refuses to delete a bucket that holds objects.
  remove: ({ client, account }, id) => client.r2.buckets.delete(id, account),
  parse({ tenants }, record) {
    const { name, creation_date: createdAt } = bucket.parse(record);
    const tenant = tenants.of("backupBucket", name);
    return tenant === undefined ? undefined : { id: name, identity: `${name}@${createdAt}`, name, tenant, createdAt };
  },
});

export interface BucketContent {
  /** Objects on the first page of the list. */
  objects: number;
  bytes: number;
  /** Whether the bucket has more objects. */
  more: boolean;
}

export async function contentOf({ client, platform }: AccountArgs, name: string): Promise<BucketContent> {
  const page = await client.r2.buckets.objects.list(name, { account_id: platform.accountId, per_page: PAGE });
  return {
    objects: page.result.length,
    bytes: page.result.reduce((sum, { size = 0 }) => sum + size, 0),
    more: page.hasNextPage(),
  };
}
