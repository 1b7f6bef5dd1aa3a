/** R2 buckets of backups. Their name is their id, so that the time at which one was made tells it from a later one. */
import * as z from "zod";
import { gone } from "../gone.ts";
import type { AccountArgs, AccountKind, Thing } from "../thing.ts";

const bucket = z.object({ name: z.string(), creation_date: z.string() });
const PAGE = 1000;

function thing({ tenants }: AccountArgs, found: unknown): Thing[] {
  const { name, creation_date: createdAt } = bucket.parse(found);
  const tenant = tenants.of("backupBucket", name);
  return tenant === undefined
    ? []
    : [{ kind: "bucket", id: name, identity: `${name}@${createdAt}`, name, tenant, createdAt }];
}

export const buckets: AccountKind = {
  kind: "bucket",
  title: "bucket",
  right: "Workers R2 Storage (Read)",
  async list(args) {
    const { client, platform } = args;
    const things: Thing[] = [];
    let after: string | undefined;
    for (;;) {
      const { buckets: page = [] } = await client.r2.buckets.list({
        account_id: platform.accountId,
        per_page: PAGE,
        order: "name",
        direction: "asc",
        ...(after !== undefined && { start_after: after }),
      });
      things.push(...page.flatMap((one) => thing(args, one)));
      const last = page.at(-1)?.name;
      if (page.length < PAGE || last === undefined || last === after) return things;
      after = last;
    }
  },
  async find(args, { id }) {
    const { client, platform } = args;
    const found = await gone(client.r2.buckets.get(id, { account_id: platform.accountId }));
    return found === undefined ? undefined : thing(args, found)[0];
  },
  async hold({ client, platform }, { id }) {
    const page = await client.r2.buckets.objects.list(id, { account_id: platform.accountId, per_page: 1 });
    return page.result.length === 0 ? undefined : "it holds objects";
  },
  // One that holds objects the vendor refuses to delete.
  async remove({ client, platform }, { id }) {
    await client.r2.buckets.delete(id, { account_id: platform.accountId });
  },
};

/** What lies in a bucket, as far as the first page of its list tells. */
export interface BucketContent {
  objects: number;
  bytes: number;
  /** Whether there is more. */
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
