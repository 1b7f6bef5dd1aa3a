import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import type { Kysely } from "kysely";
import type * as z from "zod";
import { findChannel } from "#database/channels/channels.ts";
import {
  countDoors,
  deleteDoor,
  findDoor,
  insertDoor,
  type ListedDoor,
  listDoors,
  lockDoor,
  replaceKey,
  replaceSecrets,
  updateDoor,
} from "#database/doors/doors.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { doorNameFault } from "#domain/doors/door.ts";
import type { Secrets } from "#domain/doors/door-secrets.ts";
import { door } from "#domain/entities/door.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import type { Environment } from "#domain/environment.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import { doorErrors } from "#domain/errors/api/doors.ts";
import { planLabel, planLimits } from "#domain/plans/plan.ts";
import type { createdDoor, doorRoutes, RotatedDoor } from "#workers/contracts/api/tenants/doors.ts";
import { openSecrets, sealSecrets } from "#workers/shared/doors/door-secrets.ts";
import { doorKeysOf, type Settings } from "../../env.ts";
import { failure, invalidInput, requireFound } from "../../http/failure.tsx";
import { declaredIn, requireOwn } from "../../http/git-owned.ts";
import type { Call, Handlers } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { requireUnchanged } from "../changed-by.ts";
import { sendInstanceEvent } from "../events.ts";
import { lockedInstance, requireInstance } from "../required.ts";
import { inboxHandlers } from "./inbox.ts";
import { checkSecrets, generateSecrets, newKey } from "./secrets.ts";

export const doorHandlers: Handlers<typeof doorRoutes> = {
  ...inboxHandlers,

  async listDoors({ db, settings, params }) {
    const { id, billing_plan } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const found = await listDoors(db, settings.ENVIRONMENT, id);
    return { data: found.map(doorBody), limit: planLimits(billing_plan).doors };
  },

  async createDoor({ params, body, ...call }) {
    const instance = await lockedInstance(call.db, call.settings.ENVIRONMENT, params.instance_id);
    return createDoor(call, instance, body);
  },

  async updateDoor({ db, settings, params, body, expected, caller }) {
    const { found, instance } = await changeableDoor(db, settings.ENVIRONMENT, params.id);
    await requireUnchanged(db, expected, { entity: "doors", ...found }, caller);
    const fault = body.name === undefined ? undefined : doorNameFault(body.name, found.kind);
    if (fault !== undefined) throw invalidInput("body", { name: [fault] });
    await updateDoor(db, found.id, body);
    return changed(db, settings, instance, { id: found.id, change: "changed", caller });
  },

  async deleteDoor({ db, settings, params, expected, caller }) {
    const door = await changeableDoor(db, settings.ENVIRONMENT, params.id);
    await requireUnchanged(db, expected, { entity: "doors", ...door.found }, caller);
    await removeDoor(db, door, caller);
  },

  async rotateDoor({ db, settings, params, body, expected, caller, request }): Promise<RotatedDoor> {
    const locks = await changeableDoor(db, settings.ENVIRONMENT, params.id);
    const { found, instance } = locks;
    // A second rotation would end what the vendor still uses.
    await requireUnchanged(db, expected, { entity: "doors", ...found }, caller);
    const { id, kind, name } = found;
    if (await findChannel(db, settings.ENVIRONMENT, { doorId: id })) {
      throw failure(channelErrors.channel_of_door, { name });
    }
    const seconds = body.expire_former_in_seconds;
    if (body.what === "key") {
      const { url, ...key } = await newKey(settings, request);
      await replaceKey(db, id, { ...key, seconds });
      const rotated = await changed(db, settings, instance, { id, change: "rotated", caller });
      return { ...rotated, url, generated: {} };
    }
    const generated = body.secrets === undefined ? generateSecrets(kind) : {};
    const given = body.secrets ?? generated;
    if (Object.keys(given).length === 0) {
      throw invalidInput("body", { secrets: [`are required: ${WEBHOOK_KINDS[kind].label} issues them`] });
    }
    const rotated = await changeSecrets({ db, settings, caller }, locks, { given, seconds });
    return { ...rotated, url: null, generated };
  },
};

/** @param instance locked @throws Failure `limit_exceeded`, and `invalid_request` for secrets that the kind does not have */
export async function createDoor(
  { db, settings, caller, request }: Pick<Call<typeof doorRoutes.createDoor>, "db" | "settings" | "caller" | "request">,
  instance: KnownInstance,
  body: { kind: ListedDoor["kind"]; name: string; secrets: Secrets },
): Promise<z.infer<typeof createdDoor>> {
  await requireRoom(db, instance);
  const { kind, name } = body;
  const generated = generateSecrets(kind, body.secrets);
  const secrets = checkSecrets(kind, { ...body.secrets, ...generated });
  const id = crypto.randomUUID();
  const { url, ...key } = await newKey(settings, request);
  await insertDoor(db, {
    ...{ id, kind, name, instanceId: instance.id, createdBy: caller.email, ...key },
    ...(await sealed(settings, id, secrets)),
  });
  const created = await changed(db, settings, instance, { id, change: "created", caller });
  return { ...created, url, generated };
}

export async function removeDoor(
  db: Kysely<DB>,
  { found, instance }: Awaited<ReturnType<typeof lockedDoor>>,
  caller: Caller,
): Promise<void> {
  await deleteDoor(db, found.id);
  await announce(db, instance, { door: found, change: "deleted", caller });
}

/** Replaces secrets of a door by name, or removes those that are null. The former ones are accepted for a while. */
export async function changeSecrets(
  { db, settings, caller }: Pick<Call<typeof doorRoutes.rotateDoor>, "db" | "settings" | "caller">,
  { found, instance, secrets }: Awaited<ReturnType<typeof lockedDoor>>,
  { given, seconds }: { given: SecretChanges; seconds: number },
) {
  const { id, kind } = found;
  const all = Object.entries({ ...(await keptSecrets(settings, found, secrets, given)), ...given });
  const names = Object.keys(WEBHOOK_KINDS[kind].secrets.shape);
  // The check refuses names that the kind does not have.
  const left = all.flatMap(([name, value]) => (value === null && names.includes(name) ? [] : [[name, value ?? ""]]));
  const next = checkSecrets(kind, Object.fromEntries(left));
  await replaceSecrets(db, id, { ...(await sealed(settings, id, next)), seconds });
  return changed(db, settings, instance, { id, change: "rotated", caller });
}

/** @throws Failure `limit_exceeded`. The instance is locked, so that concurrent requests cannot exceed the limit */
async function requireRoom(db: Kysely<DB>, { id, client, billing_plan }: KnownInstance): Promise<void> {
  const { doors: limit } = planLimits(billing_plan);
  const count = await countDoors(db, id);
  if (count < limit) return;
  const values = { slug: client.slug, count, plan: planLabel(billing_plan), limit };
  throw failure(doorErrors.door_limit_reached, values);
}

async function sealed(settings: Settings, id: string, secrets: Secrets) {
  const bytes = Buffer.from(await sealSecrets(doorKeysOf(settings), id, secrets));
  return { secrets: bytes, secretNames: Object.keys(secrets).toSorted() };
}

type SecretChanges = Readonly<Record<string, string | null>>;

/** Returns the current secrets. Those that cannot be decrypted are not needed if all are replaced. @throws Failure `conflict` */
async function keptSecrets(
  settings: Settings,
  { id, name, secret_names }: ListedDoor,
  secrets: Buffer,
  given: SecretChanges,
): Promise<Secrets> {
  try {
    return await openSecrets(doorKeysOf(settings), id, secrets);
  } catch {
    if (secret_names.every((one) => given[one] !== undefined)) return {};
    throw failure(doorErrors.door_secrets_unreadable, { name });
  }
}

const requireDoor = async (db: Kysely<DB>, environment: Environment, id: string): Promise<ListedDoor> =>
  requireFound(await findDoor(db, environment, id), doorErrors.instance_door_not_found);

/** Locks a door until the transaction ends, behind its instance and client as elsewhere. */
export async function lockedDoor(db: Kysely<DB>, environment: Environment, id: string) {
  const { instance_id } = await requireDoor(db, environment, id);
  const instance = await lockedInstance(db, environment, instance_id);
  const secrets = requireFound(await lockDoor(db, id), doorErrors.instance_door_not_found);
  return { instance, found: await requireDoor(db, environment, id), secrets };
}

/** Like {@link lockedDoor}. @throws Failure `managed_by_git` for a door that a stack declares */
async function changeableDoor(db: Kysely<DB>, environment: Environment, id: string) {
  const door = await lockedDoor(db, environment, id);
  requireOwn(`The door ${door.found.name}`, door.found);
  return door;
}

const doorBody = (row: ListedDoor) => bodyOf(door, { ...row, declared_in: declaredIn(row) });

interface Change {
  change: "created" | "changed" | "rotated" | "deleted";
  caller: Caller;
}

async function changed(
  db: Kysely<DB>,
  settings: Settings,
  instance: KnownInstance,
  { id, ...change }: Change & { id: string },
) {
  const found = await requireDoor(db, settings.ENVIRONMENT, id);
  await announce(db, instance, { door: found, ...change });
  return doorBody(found);
}

/** Sends an event to open dashboards. A trigger requests that the dispatch Worker drops its cache entries. */
const announce = (
  db: Kysely<DB>,
  instance: KnownInstance,
  { door: { id, name }, change, caller }: Change & { door: ListedDoor },
): Promise<void> => sendInstanceEvent(db, instance, `door.${change}`, caller.email, { door_id: id, name });
