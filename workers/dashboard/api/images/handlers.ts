/** What the routes of the catalogue do. */
import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { findBundle, type KnownBundle, listBundles, withdrawBundle } from "#database/versions/bundles.ts";
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
import type { Environment } from "#domain/environment.ts";
import type { Image, imageRoutes, WorkerBundle } from "#workers/contracts/api/tenants/images.ts";
import { inTransaction } from "../../http/connection.ts";
import { Failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { requireVersion } from "../../http/versions.ts";

export const imageHandlers: Handlers<typeof imageRoutes> = {
  async listImages({ db, settings }) {
    return { data: (await listImages(db, settings.ENVIRONMENT)).map(imageBody) };
  },

  async addImage({ db, settings, body }) {
    const { gateway_version: gatewayVersion, ...rest } = body;
    const id = await addImage(db, { ...rest, gatewayVersion });
    return imageBody(await requireImage(db, settings.ENVIRONMENT, id));
  },

  async updateImage({ db, settings, params, body, expected }) {
    const { ENVIRONMENT: environment } = settings;
    await lockCatalogueEntry(db, "tenantry.images", params.id);
    const found = await requireImage(db, environment, params.id);
    requireVersion(expected, found.version);
    refuseContradiction(body, found);
    await changeImage(db, found.id, body);
    await becomeDefault(db, "tenantry.images", environment, { found, ...body });
    return imageBody(await requireImage(db, environment, found.id));
  },

  async listWorkerBundles({ db, settings }) {
    return { data: (await listBundles(db, settings.ENVIRONMENT)).map(bundleBody) };
  },

  async updateWorkerBundle({ db, settings, params, body, expected }) {
    const { ENVIRONMENT: environment } = settings;
    await lockCatalogueEntry(db, "tenantry.worker_bundles", params.id);
    const found = await requireBundle(db, environment, params.id);
    requireVersion(expected, found.version);
    refuseContradiction(body, found);
    if (body.withdrawn !== undefined) await withdrawBundle(db, found.id, body.withdrawn);
    await becomeDefault(db, "tenantry.worker_bundles", environment, { found, ...body });
    return bundleBody(await requireBundle(db, environment, found.id));
  },
};

type Change = { withdrawn?: boolean | undefined; default?: boolean | undefined };

/** @throws Failure `conflict` for a default that no tenant may get */
function refuseContradiction(change: Change, { withdrawnAt }: Pick<KnownImage, "withdrawnAt">): void {
  const isWithdrawn = change.withdrawn ?? withdrawnAt !== null;
  if (change.default && isWithdrawn) throw new Failure("conflict", "What is withdrawn is not what new tenants get.");
}

async function becomeDefault(
  db: Kysely<DB>,
  table: CatalogueTable,
  environment: Environment,
  { found, default: wanted }: Change & { found: { id: string; isDefault: boolean } },
): Promise<void> {
  if (wanted === undefined || wanted === found.isDefault) return;
  await setDefault(inTransaction(db), table, environment, wanted ? found.id : null);
}

/** @throws Failure `not_found` */
async function requireImage(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownImage> {
  const found = await findImage(db, environment, id);
  if (found === undefined) throw new Failure("not_found", "There is no such image.");
  return found;
}

/** @throws Failure `not_found` */
async function requireBundle(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownBundle> {
  const found = await findBundle(db, environment, id);
  if (found === undefined) throw new Failure("not_found", "There is no such Worker.");
  return found;
}

/** An image that tenants may get. @throws Failure `conflict` for one that is not there, or withdrawn */
export async function offeredImage(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownImage> {
  const found = await findImage(db, environment, id);
  if (found !== undefined && found.withdrawnAt === null) return found;
  throw new Failure("conflict", "That image is not in the catalogue, or is withdrawn: choose one of GET /images.");
}

/** A Worker that tenants may get. @throws Failure `conflict` likewise */
export async function offeredBundle(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownBundle> {
  const found = await findBundle(db, environment, id);
  if (found !== undefined && found.withdrawnAt === null) return found;
  throw new Failure(
    "conflict",
    "That Worker is not in the catalogue, or is withdrawn: choose one of GET /worker-bundles.",
  );
}

type Entry = Pick<KnownImage, "id" | "isDefault" | "withdrawnAt" | "tenants" | "createdAt" | "updatedAt" | "version">;

const entryBody = ({ id, isDefault, withdrawnAt, tenants, createdAt, updatedAt, version }: Entry) => ({
  id,
  default: isDefault,
  withdrawn_at: withdrawnAt?.toISOString() ?? null,
  tenants,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
  version,
});

function imageBody(image: KnownImage): Image {
  const { reference, gateway, gatewayVersion, note } = image;
  return { ...entryBody(image), reference, gateway, gateway_version: gatewayVersion, note };
}

function bundleBody(bundle: KnownBundle): WorkerBundle {
  return { ...entryBody(bundle), content_hash: bundle.contentHash, release: bundle.release };
}
