/** Encrypts the secrets of all doors, channels, provider keys, egress secrets and webhooks with the new key, before the old one becomes invalid. */
import type { Kysely } from "kysely";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { resealCredentials, resealDoors, type SealedCredentials, type SealedDoor } from "#database/doors/resealing.ts";
import type { DB } from "#database/types.ts";
import { openChannel, sealChannel } from "#workers/shared/doors/channel-credentials.ts";
import { type DoorKeys, openSecrets, sealedHead, sealSecrets } from "#workers/shared/doors/door-secrets.ts";
import { openEgressSecret, sealEgressSecret } from "#workers/shared/doors/egress-secret.ts";
import { openNotificationWebhook, sealNotificationWebhook } from "#workers/shared/doors/notification-webhook.ts";
import { openProviderKey, sealProviderKey } from "#workers/shared/doors/provider-key.ts";
import { openServiceDatabase } from "../postgres/service-database.ts";
import type { RotateOptions } from "./options.ts";

interface Changes {
  changed: number;
  /** What neither key decrypts, as `{slug}/{name}`: it was encrypted with a lost key, or changed in the database. */
  unreadable: string[];
}

/** Of doors, by name; of channels, by kind; of provider keys, by provider; of egress secrets, by name; of webhooks, by the address of their ADMIN. */
export interface Resealed extends Changes {
  channels: Changes;
  providerKeys: Changes;
  egressSecrets: Changes;
  webhooks: Changes;
}

export async function resealAll(db: Kysely<DB>, keys: DoorKeys): Promise<Resealed> {
  const unreadable: string[] = [];
  const opened = (id: string, sealed: Buffer) => openSecrets(keys, id, sealed).catch(() => undefined);
  const sealed = async (id: string, secrets: Record<string, string>) =>
    Buffer.from(await sealSecrets(keys, id, secrets));
  const reseal = async ({ id, slug, name, secrets, former_secrets }: SealedDoor) => {
    const open = await opened(id, secrets);
    if (open === undefined) {
      // It refuses every request until its secrets are rotated.
      unreadable.push(`${slug}/${name}`);
      return undefined;
    }
    const former = former_secrets && (await opened(id, former_secrets));
    return { secrets: await sealed(id, open), former_secrets: former ? await sealed(id, former) : null };
  };
  const head = Buffer.from(await sealedHead(keys));
  const changed = await resealDoors(db, head, reseal);
  // The tenants have what is unreadable, until it is sent again.
  const channels = await resealEach(db, "channels", head, async ({ id, credentials }) =>
    sealChannel(keys, id, await openChannel(keys, id, credentials)),
  );
  const providerKeys = await resealEach(db, "provider_keys", head, async ({ id, credentials }) =>
    sealProviderKey(keys, id, await openProviderKey(keys, id, credentials)),
  );
  const egressSecrets = await resealEach(db, "egress_secrets", head, async ({ id, credentials }) =>
    sealEgressSecret(keys, id, await openEgressSecret(keys, id, credentials)),
  );
  const webhooks = await resealEach(db, "notification_settings", head, async ({ id, credentials }) =>
    sealNotificationWebhook(keys, id, await openNotificationWebhook(keys, id, credentials)),
  );
  return { changed, unreadable, channels, providerKeys, egressSecrets, webhooks };
}

/** @param reseal rejects for credentials that it cannot decrypt */
async function resealEach(
  db: Kysely<DB>,
  table: Parameters<typeof resealCredentials>[1],
  head: Buffer,
  reseal: (found: SealedCredentials) => Promise<Uint8Array>,
): Promise<Changes> {
  const unreadable: string[] = [];
  const changed = await resealCredentials(db, table, head, async (found) => {
    const next = await reseal(found).catch(() => undefined);
    if (next === undefined) unreadable.push(`${found.slug}/${found.name}`);
    return next && Buffer.from(next);
  });
  return { changed, unreadable };
}

/** @throws Error; the rotation can be continued */
export async function encryptDoors({ stack, variables, say }: RotateOptions): Promise<void> {
  const output = (name: string) => secretOutput(stack, name, variables);
  const [url, used, other] = [await output("serviceUrl"), await output("doorsKey"), await output("otherDoorsKey")];
  const db = openServiceDatabase(url, "tenantry-rotation");
  try {
    const { changed, unreadable, channels, providerKeys, egressSecrets, webhooks } = await resealAll(db, {
      used,
      other,
    });
    say(
      `The secrets of ${changed} doors, ${channels.changed} channels, ${providerKeys.changed} provider keys, ${egressSecrets.changed} egress secrets and ${webhooks.changed} webhooks are encrypted with the new key.`,
    );
    if (unreadable.length > 0) {
      say(`Neither key decrypts the secrets of ${unreadable.join(", ")}. Rotate the secrets of these doors.`);
    }
    if (channels.unreadable.length > 0) {
      say(
        `Neither key decrypts the tokens of ${channels.unreadable.join(", ")}. Replace the tokens of these channels.`,
      );
    }
    if (providerKeys.unreadable.length > 0) {
      say(`Neither key decrypts the provider keys of ${providerKeys.unreadable.join(", ")}. Store these keys again.`);
    }
    if (egressSecrets.unreadable.length > 0) {
      say(`Neither key decrypts the egress secrets ${egressSecrets.unreadable.join(", ")}. Store these secrets again.`);
    }
    if (webhooks.unreadable.length > 0) {
      say(
        `Neither key decrypts the webhooks for notifications of ${webhooks.unreadable.join(", ")}. Their users must store them again.`,
      );
    }
  } finally {
    await db.destroy();
  }
}
