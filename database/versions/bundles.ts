import { type Kysely, sql } from "kysely";
import type * as z from "zod";
import { type Manager, rowOf } from "#domain/entities/entity.ts";
import { workerBundle } from "#domain/entities/image.ts";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";

const row = rowOf(workerBundle);
export type KnownBundle = z.infer<typeof row>;

function selectBundles(db: Kysely<DB>, environment: Environment) {
  return db
    .selectFrom("tenantry.worker_bundles as b")
    .select(["b.id", "b.content_hash", "b.release", "b.is_default as default", "b.withdrawn_at"])
    .select(["b.created_at", "b.updated_at", "b.version"])
    .select((e) =>
      e
        .selectFrom("tenantry.instances as i")
        .select((inner) => inner.fn.countAll().as("tenants"))
        // Without a chosen Worker, the stack that deploys the instance builds it.
        .where(
          sql<boolean>`coalesce(i.bundle_id = b.id, i.environment = b.environment and i.reported_bundle = b.content_hash)`,
        )
        .as("tenants"),
    )
    .where("b.environment", "=", environment);
}

export async function listBundles(db: Kysely<DB>, environment: Environment): Promise<KnownBundle[]> {
  const found = await selectBundles(db, environment).orderBy("b.created_at", "desc").orderBy("b.id").execute();
  return found.map((one) => row.parse(one));
}

export interface OtherWorkers {
  managed_by: Manager;
  owner: string | null;
  content_hash: string | null;
  tenants: number;
}

/** Counts instances without a Worker of the catalogue, by stack in Git and reported Worker. `owner` is the start of a URN. */
export async function countOtherWorkers(db: Kysely<DB>, environment: Environment): Promise<OtherWorkers[]> {
  const { rows } = await sql<OtherWorkers>`
    select i.managed_by, case i.managed_by when 'git' then substring(i.owner from '^urn:pulumi:[^:]+::[^:]+::') end as owner,
      i.reported_bundle as content_hash, count(*)::integer as tenants
    from tenantry.instances i
    where i.environment = ${environment} and i.bundle_id is null and not exists (
      select from tenantry.worker_bundles b
      where b.environment = i.environment and b.content_hash = i.reported_bundle)
    group by 1, 2, 3 order by 1 desc, 2, 3`.execute(db);
  return rows;
}

export async function findBundle(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
): Promise<KnownBundle | undefined> {
  const found = await selectBundles(db, environment).where("b.id", "=", id).executeTakeFirst();
  return found && row.parse(found);
}

export async function withdrawBundle(db: Kysely<DB>, id: string, withdrawn: boolean): Promise<void> {
  await db
    .updateTable("tenantry.worker_bundles")
    .set((e) => ({
      withdrawn_at: withdrawn ? e.fn.coalesce("withdrawn_at", e.fn<Date>("now")) : null,
      is_default: withdrawn ? false : e.ref("is_default"),
    }))
    .where("id", "=", id)
    .execute();
}

/** Stores a new bundle, for the automation service; the environment's first is the default. @returns whether it was new */
export async function storeBundle(
  db: Kysely<DB>,
  { contentHash, release, content }: { contentHash: string; release: string; content: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    insert into tenantry.worker_bundles (content_hash, release, content, is_default)
    values (${contentHash}, ${release}, ${content}, not exists (select from tenantry.worker_bundles))
    on conflict (environment, content_hash) do nothing
    returning id`.execute(db);
  return rows.length > 0;
}

export async function bundleContent(db: Kysely<DB>, id: string): Promise<{ contentHash: string; content: Buffer }> {
  const found = await db
    .selectFrom("tenantry.worker_bundles")
    .select(["content_hash", "content"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { contentHash: found.content_hash, content: found.content };
}
