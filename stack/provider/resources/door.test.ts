import type { Properties, Run } from "@tenantry/plugin-host";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { knownDoors } from "#database/doors/declared-doors.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { openSecrets, sealSecrets } from "#workers/shared/doors/door-secrets.ts";
import { type Clients, connectClients } from "../clients.ts";
import { door } from "./door.ts";

const [KEY, NEXT] = ["password-of-32-characters-or-more-one", "password-of-32-characters-or-more-two"];
const urn = (stack: string, name = "acme.deploys") => `urn:pulumi:${stack}::tenantry::tenantry:index:Door::${name}`;
const OWN = urn("prod");
const run = {} as Run;
const [FIRST_KEY, SECOND_KEY] = ["A".repeat(24), "B".repeat(24)];

let database: TestDatabase;
let clients: Clients;
let instanceId: string;
beforeAll(async () => {
  database = await startTestDatabase();
  const client = await insertClient(database.db, { slug: "acme", billing_plan: "free" });
  instanceId = await insertInstance(database.db, client);
  clients = clientsWith({ doorsKey: KEY });
});
afterAll(() => database?.stop());
afterEach(() => database.pool.query("delete from tenantry.doors; delete from tenantry.jobs"));

const clientsWith = (keys: { doorsKey?: string; otherDoorsKey?: string }) =>
  connectClients({ databaseUrl: database.urlOf("provisioner"), ...keys }, {});
const declaring = (more: Properties = {}, owner = OWN): Properties => {
  const given = { instanceId, kind: "github", name: "deploys", key: FIRST_KEY, secrets: { secret: "s-1" }, ...more };
  const { inputs, failures } = door.check(given, owner);
  expect(failures).toEqual([]);
  return inputs;
};
const create = async (inputs = declaring()) => (await door.create(clients, inputs, run)).id;
const update = (id: string, now: Properties, old = declaring()) => door.update(clients, id, now, old, old, run);
const read = async (id: string, inputs = declaring(), by = clients) =>
  (await door.read(by, id, inputs, inputs))?.inputs;
const remove = (id: string, inputs = declaring()) => door.delete(clients, id, inputs, inputs, run);
const rows = async (sql = "select * from tenantry.doors order by name") => (await database.pool.query(sql)).rows;
const secretsOf = ({ id, secrets }: { id: string; secrets: Buffer }) => openSecrets({ used: KEY }, id, secrets);
const jobs = () => rows("select kind, slug, requested_by, payload from tenantry.jobs order by created_at, id");
const idsOfKey = async (key: string) =>
  (await rows(`select (api.resolve_door(encode(sha256('${key}'), 'hex')) -> 'door' ->> 'id') as id`)).flatMap(
    ({ id }) => id ?? [],
  );

test("creates a door with encrypted secrets, and requests that dispatch forgets its key", async () => {
  const id = await create();
  const [row] = await rows();
  expect(row).toMatchObject({
    ...{ id, kind: "github", name: "deploys", state: "active", key_hint: "AAAA", secret_names: ["secret"] },
    ...{ managed_by: "git", owner: OWN, created_by: "tenantry/prod", version: 1 },
  });
  expect(await secretsOf(row)).toEqual({ secret: "s-1" });
  expect(await idsOfKey(FIRST_KEY)).toEqual([id]);
  const hash = row.key_hash.toString("hex");
  const job = { kind: "invalidate", slug: "acme", requested_by: "tenantry/prod", payload: { doors: [hash] } };
  expect(await jobs()).toEqual([job]);
  const audit = await rows(
    "select actor, action from tenantry.audit_log where entity = 'doors' order by id desc limit 1",
  );
  expect(audit).toEqual([{ actor: "tenantry/prod", action: "insert" }]);
  expect(await knownDoors(database.db, "production")).toEqual({ acme: [{ name: "deploys", owner: OWN }] });
  await remove(id);
  expect([await rows(), await jobs()]).toEqual([[], [job, job]]);
  await remove(id);
});

test("adopts its own door unchanged after a lost answer", async () => {
  const id = await create();
  expect(await create()).toBe(id);
  expect(await rows()).toMatchObject([{ version: 1, former_key_hash: null, former_secrets: null, rotated_at: null }]);
});

test("renames and disables a door in place", async () => {
  const id = await create();
  await update(id, declaring({ name: "ci", state: "disabled" }));
  expect(await rows()).toMatchObject([
    { id, name: "ci", state: "disabled", former_key_hash: null, former_secrets: null },
  ]);
  expect(await idsOfKey(FIRST_KEY)).toEqual([id]);
});

test("accepts the former key and secrets after a change for the declared time", async () => {
  const id = await create();
  const changed = declaring({ key: SECOND_KEY, secrets: { secret: "s-2" } });
  await update(id, changed);
  expect([await idsOfKey(FIRST_KEY), await idsOfKey(SECOND_KEY)]).toEqual([[id], [id]]);
  const [row] = await rows();
  expect([await secretsOf(row), await secretsOf({ id, secrets: row.former_secrets })]).toEqual([
    { secret: "s-2" },
    { secret: "s-1" },
  ]);
  expect(row.former_until - row.updated_at).toBeGreaterThan(86_000_000);
  await update(id, declaring({ key: FIRST_KEY, secrets: { secret: "s-3" }, overlapSeconds: 0 }), changed);
  expect(await idsOfKey(SECOND_KEY)).toEqual([]);
  expect(await rows()).toMatchObject([{ former_secrets: null, former_until: null }]);
});

test("reads what differs in the database, without its secrets", async () => {
  const id = await create();
  expect(await read(id)).toEqual(declaring());
  await database.pool.query("update tenantry.doors set name = 'other', state = 'disabled', key_hash = sha256('x')");
  expect(await read(id)).toEqual({ ...declaring(), name: "other", state: "disabled", key: "" });
  await update(id, declaring());
  expect(await read(id)).toEqual(declaring());

  const secrets = Buffer.from(await sealSecrets({ used: NEXT }, id, { secret: "s-1" }));
  await database.db.updateTable("tenantry.doors").set({ secrets }).execute();
  expect(await read(id)).toEqual({ ...declaring(), secrets: {} });
  // During a rotation of the platform's key.
  expect(await read(id, declaring(), clientsWith({ doorsKey: KEY, otherDoorsKey: NEXT }))).toEqual(declaring());
  await update(id, declaring());
  expect(await read(id)).toEqual(declaring());

  await database.pool.query("delete from tenantry.doors");
  expect(await read(id)).toBeUndefined();
  await expect(door.read(clients, id, {}, {})).rejects.toThrow("A door cannot be imported");
});

test("creates a deleted door again at the same address", async () => {
  const id = await create();
  await database.pool.query("delete from tenantry.doors");
  const missing = declaring({ missing: true });
  expect(door.diff(declaring(), missing).changes.map(({ property }) => property)).toEqual(["missing"]);
  expect(door.diff(missing, declaring()).changes).toEqual([]);
  await update(id, missing);
  expect(await idsOfKey(FIRST_KEY)).toEqual([id]);
});

test("replaces a door of another kind or instance after its deletion, and nothing for another owner of the stack", () => {
  const diff = (more: Properties, owner?: string) => door.diff(declaring(), declaring(more, owner));
  expect(diff({ kind: "hmac" })).toMatchObject({ replaces: ["kind"], deleteBeforeReplace: true });
  expect(diff({ instanceId: crypto.randomUUID() })).toMatchObject({
    replaces: ["instanceId"],
    deleteBeforeReplace: true,
  });
  expect(diff({ overlapSeconds: 0, declared: ["deploys"], takeOver: true }, urn("prod", "x")).changes).toEqual([]);
  expect(door.secretOutputs).toEqual(["key", "secrets"]);
});

test("refuses doors beyond the plan's limit, without those that the run deletes later", async () => {
  const at = (name: string, n: number, more = {}) => declaring({ name, key: String(n).repeat(24), ...more });
  const one = await create(at("one", 1));
  await create(at("two", 2));
  await expect(create(at("three", 3, { declared: ["one", "two", "three"] }))).rejects.toThrow(
    "The instance of acme has 2 doors, and its plan Free allows 2. Delete a door, or change the plan.",
  );
  await create(at("three", 3, { declared: ["two", "three"] }));
  await remove(one, at("one", 1));
  expect(await rows()).toHaveLength(2);
});

test("refuses names of the dashboard's and of other stacks' doors, unless the run takes them over", async () => {
  const id = await create();
  await database.pool.query("update tenantry.doors set managed_by = 'dashboard', owner = null");
  await expect(create()).rejects.toThrow("acme has a door deploys that the dashboard manages. Choose another name");
  await database.pool.query("update tenantry.doors set managed_by = 'git', owner = $1", [urn("other")]);
  const refusal = /^The door deploys of acme belongs to the stack tenantry\/other\..* TENANTRY_TAKE_OVER=acme /;
  for (const refused of [() => create(), () => update(id, declaring({ name: "x" })), () => remove(id)]) {
    await expect(refused()).rejects.toThrow(refusal);
  }
  expect(await create(declaring({ key: SECOND_KEY, takeOver: true }))).toBe(id);
  expect(await rows()).toMatchObject([{ owner: OWN, version: expect.any(Number) }]);
  expect([await idsOfKey(FIRST_KEY), await idsOfKey(SECOND_KEY)]).toEqual([[id], [id]]);
});

test("leaves a door that was handed over to the dashboard, and forgets that of a deleted instance", async () => {
  const id = await create();
  await database.pool.query("update tenantry.doors set managed_by = 'dashboard'");
  await remove(id);
  expect(await rows()).toMatchObject([{ id, managed_by: "dashboard", owner: null }]);
  await remove(crypto.randomUUID(), declaring({ instanceId: crypto.randomUUID() }));
});

test("names what is invalid or missing, without a secret", async () => {
  await expect(create(declaring({ kind: "discord", secrets: { publicKey: "hush" } }))).rejects.toThrow(
    "The door deploys is invalid: publicKey: The public key must have 64 hexadecimal digits",
  );
  await expect(create(declaring({ name: "wake" }))).rejects.toThrow("the name is a path of the gateway itself");
  const { failures } = door.check({ ...declaring(), kind: "telephone", key: "hush" }, OWN);
  expect(failures.map(({ property }) => property)).toEqual(["kind", "key"]);
  expect(JSON.stringify(failures)).not.toContain("hush");
  await expect(door.create(clientsWith({}), declaring(), run)).rejects.toThrow(
    "The provider has no key for the secrets of doors.",
  );
});
