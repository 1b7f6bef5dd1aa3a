import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { resource, UserError } from "@tenantry/plugin-host";
import type { Kysely } from "kysely";
import * as z from "zod";
import { openKysely } from "#database/connection/kysely.ts";
import { doorOwners, lockPlace, type StoredDoor, storedDoor, writeDeclared } from "#database/doors/declared-doors.ts";
import { deleteDoor, insertDoor, replaceKey, replaceSecrets } from "#database/doors/doors.ts";
import type { DB } from "#database/types.ts";
import { DEFAULT_OVERLAP_SECONDS, doorNameFault, MAX_OVERLAP_SECONDS } from "#domain/doors/door.ts";
import { isDoorKey, keyHint } from "#domain/doors/door-key.ts";
import { checkDoorSecrets } from "#domain/doors/door-secrets.ts";
import { door as doorEntity } from "#domain/entities/door.ts";
import { doorErrors } from "#domain/errors/api/doors.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { providerErrors } from "#domain/errors/stack/provider.ts";
import { type Plan, planLabel, planLimits } from "#domain/plans/plan.ts";
import { isForeign, stackOf } from "#domain/tenants/owner.ts";
import { openSecrets, sealSecrets } from "#workers/shared/doors/door-secrets.ts";
import type { Clients } from "../clients.ts";
import { reportRefusalOnce } from "../database/refused-login.ts";
import { isSameStack, refuseForeign } from "../ownership.ts";

const inputs = z.object({
  instanceId: doorEntity.shape.instance_id,
  kind: doorEntity.shape.kind,
  name: doorEntity.shape.name,
  state: doorEntity.shape.state.default("active"),
  /** Of its address. */
  key: z.string().refine(isDoorKey, "must have 24 letters and digits"),
  secrets: z.record(z.string(), z.string()),
  overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DEFAULT_OVERLAP_SECONDS),
  /** Names of all doors that the stack declares for the instance: those that it deletes later in the run do not count. */
  declared: z.array(z.string()).default([]),
  /** Whether the row was missing before the run. */
  missing: z.boolean().default(false),
  owner: z.string().default(""),
  takeOver: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

const hashOf = (key: string) => createHash("sha256").update(key).digest();

const databaseOf = (clients: Clients) => openKysely(clients.database());

/** Runs in one transaction with the client and the instance locked, like each change in the dashboard. */
async function changing<T>(
  clients: Clients,
  { instanceId }: Inputs,
  change: (tx: Kysely<DB>, place: NonNullable<Awaited<ReturnType<typeof lockPlace>>>) => Promise<T>,
): Promise<T> {
  return databaseOf(clients)
    .transaction()
    .execute(async (tx) => {
      const place = await lockPlace(tx, instanceId);
      if (place === undefined) throw new UserError(errorText(providerErrors.row_not_found, { id: instanceId }));
      return change(tx, place);
    });
}

function checkedSecrets({ kind, name, secrets }: Inputs) {
  const fault = doorNameFault(name, kind);
  const checked = fault === undefined ? checkDoorSecrets(kind, secrets) : { faults: [`the name ${fault}`] };
  if ("secrets" in checked) return checked.secrets;
  throw new UserError(errorText(providerErrors.door_invalid, { name, faults: checked.faults.join("; ") }));
}

async function sealed(clients: Clients, id: string, given: Inputs) {
  const secrets = checkedSecrets(given);
  const bytes = await sealSecrets(clients.doorKeys(), id, secrets);
  return { secrets: Buffer.from(bytes), secretNames: Object.keys(secrets).toSorted() };
}

const keyOf = ({ key }: Inputs) => ({ keyHash: hashOf(key), keyHint: keyHint(key) });

async function insert(clients: Clients, tx: Kysely<DB>, id: string, given: Inputs): Promise<void> {
  const { instanceId, kind, name, state, owner } = given;
  await insertDoor(tx, {
    ...{ id, instanceId, kind, name, state, owner, createdBy: stackOf(owner) ?? "stack", ...keyOf(given) },
    ...(await sealed(clients, id, given)),
  });
}

/** Makes an existing row what the stack declares. */
async function write(clients: Clients, tx: Kysely<DB>, row: StoredDoor, given: Inputs): Promise<void> {
  const { name, state, kind, owner, overlapSeconds: seconds } = given;
  await writeDeclared(tx, row.id, { name, state, kind, owner, managed_by: "git" });
  if (!row.key_hash.equals(hashOf(given.key))) await replaceKey(tx, row.id, { ...keyOf(given), seconds });
  if (!(await hasSecrets(clients, row, given))) {
    // Other kinds do not accept the former secrets.
    const overlap = row.kind === kind ? seconds : 0;
    await replaceSecrets(tx, row.id, { ...(await sealed(clients, row.id, given)), seconds: overlap });
  }
}

/** Whether the row has the declared secrets. False if they cannot be decrypted. */
async function hasSecrets(clients: Clients, { id, secrets }: StoredDoor, given: Inputs): Promise<boolean> {
  const found = await openSecrets(clients.doorKeys(), id, secrets).catch(() => undefined);
  const wanted = checkDoorSecrets(given.kind, given.secrets);
  return found !== undefined && "secrets" in wanted && isDeepStrictEqual(found, wanted.secrets);
}

async function refuseFull(
  tx: Kysely<DB>,
  { instanceId, declared, name, owner }: Inputs,
  { slug, plan }: { slug: string; plan: Plan },
): Promise<void> {
  const { doors: limit } = planLimits(plan);
  const stay = new Set([...declared, name]);
  const others = (await doorOwners(tx, instanceId)).filter(
    (door) => door.owner === null || isForeign(door.owner, owner) || stay.has(door.name),
  );
  if (others.length < limit) return;
  const values = { slug, count: others.length, plan: planLabel(plan), limit };
  throw new UserError(errorText(doorErrors.door_limit_reached, values));
}

const refuseOthers = ({ name, owner: found }: StoredDoor, slug: string, claim: Inputs, before?: string) =>
  refuseForeign(claim, { what: `The door ${name} of ${slug}`, name: slug, owner: found ?? undefined }, before);

/** A door that the stack declares, a row of `tenantry.doors`. Its ID is that of the row. */
export const door = resource<Clients, Inputs, object>({
  type: "tenantry:index:Door",
  inputs,
  replaceOn: ["instanceId", "kind"],
  // Names and keys are unique.
  replaceOrder: "delete-first",
  removes: "The door: its address refuses webhooks. Stored messages are still delivered.",
  ignore: ["overlapSeconds", "declared", "takeOver"],
  // Only a row that is missing now is a difference.
  relevant: (old) => ({ ...old, missing: false }),
  secretOutputs: ["key", "secrets"],
  owned: isSameStack,
  identity: ({ instanceId, name }) => `${instanceId}/${name}`,

  create: (clients, given) =>
    changing(clients, given, async (tx, place) => {
      const { instanceId, name } = given;
      const found = await storedDoor(tx, { instanceId, name }, true);
      if (found === undefined) {
        await refuseFull(tx, given, place);
        const id = randomUUID();
        await insert(clients, tx, id, given);
        return { id, outputs: {} };
      }
      if (found.managed_by === "dashboard") {
        throw new UserError(errorText(providerErrors.door_of_dashboard, { name, slug: place.slug }));
      }
      refuseOthers(found, place.slug, given);
      await write(clients, tx, found, given);
      return { id: found.id, outputs: {} };
    }),

  read: reportRefusalOnce(async (clients, id, known) => {
    if (known === undefined) throw new UserError(errorText(providerErrors.door_not_importable));
    const row = await storedDoor(databaseOf(clients), { id });
    if (row === undefined || row.instance_id !== known.inputs.instanceId) return undefined;
    const { inputs: given } = known;
    return {
      inputs: {
        ...given,
        ...{ kind: row.kind, name: row.name, state: row.state, missing: false },
        key: row.key_hash.equals(hashOf(given.key)) ? given.key : "",
        secrets: (await hasSecrets(clients, row, given)) ? given.secrets : {},
      },
      outputs: {},
    };
  }),

  update: (clients, id, now, old) =>
    changing(clients, now, async (tx, { slug }) => {
      const row = await storedDoor(tx, { id }, true);
      if (row === undefined) await insert(clients, tx, id, now);
      else {
        refuseOthers(row, slug, now, old.inputs.owner);
        await write(clients, tx, row, now);
      }
      return {};
    }),

  async delete(clients, id, { inputs: given }) {
    await databaseOf(clients)
      .transaction()
      .execute(async (tx) => {
        const place = await lockPlace(tx, given.instanceId);
        if (place === undefined) return;
        const row = await storedDoor(tx, { id }, true);
        if (row === undefined) return;
        refuseOthers(row, place.slug, { ...given, takeOver: false });
        // The dashboard keeps a door that was handed over to it.
        if (row.managed_by === "dashboard") await writeDeclared(tx, id, { owner: null });
        else await deleteDoor(tx, id);
      });
  },
});
