import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import {
  countOtherWorkers,
  findBundle,
  type KnownBundle,
  listBundles,
  withdrawBundle,
} from "#database/versions/bundles.ts";
import {
  addImage,
  type CatalogueTable,
  changeImage,
  findImage,
  type KnownImage,
  listImages,
  lockCatalogueEntry,
  setDefault,
} from "#database/versions/images.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { image, otherWorkers, workerBundle } from "#domain/entities/image.ts";
import type { Environment } from "#domain/environment.ts";
import { versionErrors } from "#domain/errors/api/versions.ts";
import type { Image, imageRoutes, WorkerBundle } from "#workers/contracts/api/tenants/images.ts";
import { inTransaction } from "../../http/connection.ts";
import { failure, requireFound } from "../../http/failure.tsx";
import { declaredIn } from "../../http/git-owned.ts";
import type { Handlers } from "../../http/serve.ts";
import { requireUnchanged } from "../changed-by.ts";

export const imageHandlers: Handlers<typeof imageRoutes> = {
  async listImages({ db, settings }) {
    return { data: (await listImages(db, settings.ENVIRONMENT)).map(imageBody) };
  },

  async addImage({ db, settings, body }) {
    const id = await addImage(db, body);
    return imageBody(await requireImage(db, settings.ENVIRONMENT, id));
  },

  async updateImage({ db, settings, params, body, caller, expected }) {
    const { ENVIRONMENT: environment } = settings;
    await lockCatalogueEntry(db, "tenantry.images", params.id);
    const found = await requireImage(db, environment, params.id);
    await requireUnchanged(db, expected, { entity: "images", ...found }, caller);
    refuseContradiction(body, found);
    await changeImage(db, found.id, body);
    await becomeDefault(db, "tenantry.images", environment, { found, ...body });
    return imageBody(await requireImage(db, environment, found.id));
  },

  async listWorkerBundles({ db, settings }) {
    const [bundles, others] = await Promise.all([
      listBundles(db, settings.ENVIRONMENT),
      countOtherWorkers(db, settings.ENVIRONMENT),
    ]);
    return {
      data: bundles.map(bundleBody),
      others: others.map((row) => bodyOf(otherWorkers, { ...row, declared_in: declaredIn(row) })),
    };
  },

  async updateWorkerBundle({ db, settings, params, body, caller, expected }) {
    const { ENVIRONMENT: environment } = settings;
    await lockCatalogueEntry(db, "tenantry.worker_bundles", params.id);
    const found = await requireBundle(db, environment, params.id);
    await requireUnchanged(db, expected, { entity: "worker_bundles", ...found }, caller);
    refuseContradiction(body, found);
    if (body.withdrawn !== undefined) await withdrawBundle(db, found.id, body.withdrawn);
    await becomeDefault(db, "tenantry.worker_bundles", environment, { found, ...body });
    return bundleBody(await requireBundle(db, environment, found.id));
  },
};

type Change = { withdrawn?: boolean | undefined; default?: boolean | undefined };

/** @throws Failure `conflict` for a withdrawn default */
function refuseContradiction(change: Change, { withdrawn_at }: Pick<KnownImage, "withdrawn_at">): void {
  const isWithdrawn = change.withdrawn ?? withdrawn_at !== null;
  if (change.default && isWithdrawn) throw failure(versionErrors.withdrawn_version_cannot_be_default);
}

async function becomeDefault(
  db: Kysely<DB>,
  table: CatalogueTable,
  environment: Environment,
  { found, default: wanted }: Change & { found: { id: string; default: boolean } },
): Promise<void> {
  if (wanted === undefined || wanted === found.default) return;
  await setDefault(inTransaction(db), table, environment, wanted ? found.id : null);
}

const requireImage = async (db: Kysely<DB>, environment: Environment, id: string): Promise<KnownImage> =>
  requireFound(await findImage(db, environment, id), versionErrors.image_not_found);

const requireBundle = async (db: Kysely<DB>, environment: Environment, id: string): Promise<KnownBundle> =>
  requireFound(await findBundle(db, environment, id), versionErrors.worker_bundle_not_found);

/** Returns an image that tenants may get. @throws Failure `conflict` */
export async function offeredImage(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownImage> {
  const found = await findImage(db, environment, id);
  if (found !== undefined && found.withdrawn_at === null) return found;
  throw failure(versionErrors.image_not_offered);
}

/** Returns a Worker that tenants may get. @throws Failure `conflict` */
export async function offeredBundle(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownBundle> {
  const found = await findBundle(db, environment, id);
  if (found !== undefined && found.withdrawn_at === null) return found;
  throw failure(versionErrors.worker_bundle_not_offered);
}

const imageBody = (row: KnownImage): Image => bodyOf(image, row);
const bundleBody = (row: KnownBundle): WorkerBundle => bodyOf(workerBundle, row);
