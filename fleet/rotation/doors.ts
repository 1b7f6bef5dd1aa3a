/** Encrypts the secrets of all doors, channels and provider keys with the new key, before the old one becomes invalid. */
import type { Kysely } from "kysely";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { resealChannels, resealDoors, resealProviderKeys, type SealedDoor } from "#database/doors/resealing.ts";
import type { DB } from "#database/types.ts";
import { openChannel, sealChannel } from "#workers/shared/doors/channel-credentials.ts";
import { type DoorKeys, openSecrets, sealedHead, sealSecrets } from "#workers/shared/doors/door-secrets.ts";
import { openProviderKey, sealProviderKey } from "#workers/shared/doors/provider-key.ts";
import { openServiceDatabase } from "../postgres/service-database.ts";
import type { RotateOptions } from "./options.ts";

export interface Resealed {
  changed: number;
  /** Doors whose secrets neither key decrypts: of a lost key, or changed in the database; as `{slug}/{name}`. */
  unreadable: string[];
  channels: {
    changed: number;
    /** As `{slug}/{kind}`. */
    unreadable: string[];
  };
  providerKeys: {
    changed: number;
    /** As `{slug}/{provider}`. */
    unreadable: string[];
  };
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
  const channels = await resealAllChannels(db, keys, head);
  return { changed, unreadable, channels, providerKeys: await resealAllProviderKeys(db, keys, head) };
}

async function resealAllChannels(db: Kysely<DB>, keys: DoorKeys, head: Buffer): Promise<Resealed["channels"]> {
  const unreadable: string[] = [];
  const changed = await resealChannels(db, head, async ({ id, slug, kind, credentials }) => {
    const open = await openChannel(keys, id, credentials).catch(() => undefined);
    if (open !== undefined) return Buffer.from(await sealChannel(keys, id, open));
    // Its tenant has the token, until the channels are sent again.
    unreadable.push(`${slug}/${kind}`);
    return undefined;
  });
  return { changed, unreadable };
}

async function resealAllProviderKeys(db: Kysely<DB>, keys: DoorKeys, head: Buffer): Promise<Resealed["providerKeys"]> {
  const unreadable: string[] = [];
  const changed = await resealProviderKeys(db, head, async ({ id, slug, provider, credentials }) => {
    const open = await openProviderKey(keys, id, credentials).catch(() => undefined);
    if (open !== undefined) return Buffer.from(await sealProviderKey(keys, id, open));
    // Its tenant has the key, until the keys are sent again.
    unreadable.push(`${slug}/${provider}`);
    return undefined;
  });
  return { changed, unreadable };
}

/** @throws Error; the rotation can be continued */
export async function encryptDoors({ stack, variables, say }: RotateOptions): Promise<void> {
  const output = (name: string) => secretOutput(stack, name, variables);
  const [url, used, other] = [await output("serviceUrl"), await output("doorsKey"), await output("otherDoorsKey")];
  const db = openServiceDatabase(url, "tenantry-rotation");
  try {
    const { changed, unreadable, channels, providerKeys } = await resealAll(db, { used, other });
    say(
      `The secrets of ${changed} doors, ${channels.changed} channels and ${providerKeys.changed} provider keys are encrypted with the new key.`,
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
  } finally {
    await db.destroy();
  }
}
