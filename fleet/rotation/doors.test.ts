import { afterAll, beforeAll, expect, test } from "vitest";
import { openAs } from "#database/testing/as-caller.ts";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { openChannel, sealChannel } from "#workers/shared/doors/channel-credentials.ts";
import { type DoorKeys, openSecrets, sealSecrets } from "#workers/shared/doors/door-secrets.ts";
import { openEgressSecret, sealEgressSecret } from "#workers/shared/doors/egress-secret.ts";
import { openNotificationWebhook, sealNotificationWebhook } from "#workers/shared/doors/notification-webhook.ts";
import { openProviderKey, sealProviderKey } from "#workers/shared/doors/provider-key.ts";
import { resealAll } from "./doors.ts";

const [lost, old, next] = ["x".repeat(48), "y".repeat(48), "z".repeat(48)] as const;
const DURING: DoorKeys = { used: next, other: old };
let database: TestDatabase;
let instances: { production: string; development: string };
beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "development"] });
  const make = async (environment: "production" | "development") =>
    insertInstance(database.db, await insertClient(database.db, { slug: environment, environment }));
  instances = { production: await make("production"), development: await make("development") };
});
afterAll(() => database.stop());

async function insertDoor(number: number, keys: DoorKeys, { of = instances.production, former = false } = {}) {
  const id = crypto.randomUUID();
  const sealed = async (secret: string) => Buffer.from(await sealSecrets(keys, id, { secret }));
  const values = {
    ...{
      id,
      instance_id: of,
      kind: "hmac",
      name: `door-${number}`,
      key_hash: Buffer.alloc(32, number),
      key_hint: "hint",
    },
    ...{ secrets: await sealed(`s${number}`), secret_names: ["secret"], created_by: "x" },
    ...(former && { former_secrets: await sealed("former"), former_until: new Date(Date.now() + 60_000) }),
  };
  await database.db.insertInto("tenantry.doors").values(values).execute();
  return id;
}

const SLACK = { kind: "slack", url: "https://hooks.example.com/key", secrets: { botToken: "xoxb-1" } } as const;

/** Inserts a channel of the instance in production, for a door. */
async function insertChannel(kind: string, door: string, key: string) {
  const id = crypto.randomUUID();
  const credentials = Buffer.from(await sealChannel({ used: key }, id, SLACK));
  const account = { account_id: kind, account_name: kind };
  await database.db
    .insertInto("tenantry.channels")
    .values({
      ...{ id, kind, credentials, environment: "production", instance_id: instances.production, door_id: door },
      ...{ ...account, created_by: "x" },
    })
    .execute();
  return id;
}

const OPENAI = { provider: "openai", key: "sk-proj-0123456789abcdef" } as const;

/** Inserts a provider key of the instance in production. */
async function insertProviderKey(provider: string, key: string) {
  const id = crypto.randomUUID();
  const credentials = Buffer.from(await sealProviderKey({ used: key }, id, OPENAI));
  const values = { id, instance_id: instances.production, provider, credentials, key_hint: "cdef", created_by: "x" };
  await database.db.insertInto("tenantry.provider_keys").values(values).execute();
  return id;
}

const GITHUB = { host: "api.github.com", header: "authorization", prefix: "Bearer ", value: "ghp_0" };

/** Inserts an egress secret of the instance in production. */
async function insertEgressSecret(name: string, host: string, key: string) {
  const id = crypto.randomUUID();
  const credentials = Buffer.from(await sealEgressSecret({ used: key }, id, { ...GITHUB, name }));
  const values = { id, instance_id: instances.production, name, host, header: "authorization", created_by: "x" };
  await database.db
    .insertInto("tenantry.egress_secrets")
    .values({ ...values, credentials })
    .execute();
  return id;
}

const WEBHOOK = { url: "https://hooks.example.com/", secret: `whsec_${Buffer.alloc(32).toString("base64")}` };

/** Inserts the webhook of an ADMIN of the client in production. */
async function insertWebhook(email: string, key: string) {
  const { client_id } = await database.db
    .selectFrom("tenantry.instances")
    .select("client_id")
    .where("id", "=", instances.production)
    .executeTakeFirstOrThrow();
  const id = await insertClientUser(database.db, { client_id, email });
  const credentials = Buffer.from(await sealNotificationWebhook({ used: key }, id, WEBHOOK));
  const values = { client_user_id: id, webhook_host: "hooks.example.com", credentials };
  await database.db.insertInto("tenantry.notification_settings").values(values).execute();
  return id;
}

const secretsOf = async (id: string) =>
  database.db
    .selectFrom("tenantry.doors")
    .select(["secrets", "former_secrets", "version"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

test("encrypts every door of the environment with the new key, as the service, and keeps those of a lost key", async () => {
  const ids = await Promise.all(Array.from({ length: 120 }, (_, index) => insertDoor(index, { used: old })));
  const rotated = await insertDoor(120, { used: old }, { former: true });
  const current = await insertDoor(121, { used: next });
  const broken = await insertDoor(122, { used: lost });
  const elsewhere = await insertDoor(123, { used: old }, { of: instances.development });
  const slack = await insertChannel("slack", current, old);
  await insertChannel("telegram", broken, lost);
  const openai = await insertProviderKey("openai", old);
  await insertProviderKey("groq", lost);
  const github = await insertEgressSecret("github", "api.github.com", old);
  await insertEgressSecret("crm", "crm.example.com", lost);
  const ada = await insertWebhook("ada@acme.test", old);
  await insertWebhook("bob@acme.test", lost);
  const service = openAs(database, "service");
  const before = await Promise.all([current, broken, elsewhere].map(secretsOf));
  try {
    const unreadable = ["production/door-122"];
    const lostOnes = { unreadable: ["production/telegram"] };
    const lostKeys = { unreadable: ["production/groq"] };
    const lostSecrets = { unreadable: ["production/crm"] };
    const lostWebhooks = { unreadable: ["production/bob@acme.test"] };
    expect(await resealAll(service, DURING)).toEqual({
      changed: 121,
      unreadable,
      channels: { changed: 1, ...lostOnes },
      providerKeys: { changed: 1, ...lostKeys },
      egressSecrets: { changed: 1, ...lostSecrets },
      webhooks: { changed: 1, ...lostWebhooks },
    });
    // A repeated step changes nothing.
    expect(await resealAll(service, DURING)).toEqual({
      changed: 0,
      unreadable,
      channels: { changed: 0, ...lostOnes },
      providerKeys: { changed: 0, ...lostKeys },
      egressSecrets: { changed: 0, ...lostSecrets },
      webhooks: { changed: 0, ...lostWebhooks },
    });
  } finally {
    await service.destroy();
  }
  for (const [index, id] of ids.entries()) {
    const { secrets, version } = await secretsOf(id);
    expect(await openSecrets({ used: next }, id, secrets)).toEqual({ secret: `s${index}` });
    expect(version).toBe(1);
  }
  const row = await database.db
    .selectFrom("tenantry.channels")
    .select(["credentials", "version"])
    .where("id", "=", slack)
    .executeTakeFirstOrThrow();
  expect(await openChannel({ used: next }, slack, row.credentials)).toEqual(SLACK);
  expect(row.version).toBe(1);
  const key = await database.db
    .selectFrom("tenantry.provider_keys")
    .select("credentials")
    .where("id", "=", openai)
    .executeTakeFirstOrThrow();
  expect(await openProviderKey({ used: next }, openai, key.credentials)).toEqual(OPENAI);
  const secret = await database.db
    .selectFrom("tenantry.egress_secrets")
    .select("credentials")
    .where("id", "=", github)
    .executeTakeFirstOrThrow();
  expect(await openEgressSecret({ used: next }, github, secret.credentials)).toEqual({ ...GITHUB, name: "github" });
  const webhook = await database.db
    .selectFrom("tenantry.notification_settings")
    .select(["credentials", "version"])
    .where("client_user_id", "=", ada)
    .executeTakeFirstOrThrow();
  expect(await openNotificationWebhook({ used: next }, ada, webhook.credentials ?? Buffer.alloc(0))).toEqual(WEBHOOK);
  expect(webhook.version).toBe(1);
  const { former_secrets } = await secretsOf(rotated);
  expect(await openSecrets({ used: next }, rotated, former_secrets ?? Buffer.alloc(0))).toEqual({ secret: "former" });
  expect(await Promise.all([current, broken, elsewhere].map(secretsOf))).toEqual(before);
});

test("reports secrets that were changed in the database, and continues", async () => {
  const [id, behind] = await Promise.all([insertDoor(130, { used: old }), insertDoor(131, { used: old })]);
  const { secrets } = await secretsOf(id);
  secrets[secrets.length - 1] = (secrets.at(-1) ?? 0) ^ 1;
  await database.db.updateTable("tenantry.doors").set({ secrets }).where("id", "=", id).execute();
  const { unreadable } = await resealAll(database.db, DURING);
  expect(unreadable).toContain("production/door-130");
  expect(await openSecrets({ used: next }, behind, (await secretsOf(behind)).secrets)).toEqual({ secret: "s131" });
});
