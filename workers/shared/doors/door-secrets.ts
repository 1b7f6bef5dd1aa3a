/**
 * Encryption of doors' secrets: AES-256-GCM under a key that HKDF-SHA-256 derives from the platform's `doorsKey`. The door's ID is authenticated
 * with it, so that the secrets of one door are not accepted in the row of another.
 *
 * Bytes: version (1), ID of the key (4), nonce (12), ciphertext with tag.
 */
import * as z from "zod";

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const PURPOSE = "tenantry-doors";
/** One or two are in use. */
const MAX_DERIVED = 4;

const encoder = new TextEncoder();
const secretsOf = z.record(z.string(), z.string());

export interface DoorKeys {
  used: string;
  /** Also decrypts, during a rotation. */
  other?: string | undefined;
}

/** The bytes were encrypted with a key that is not given: they are from before or after a rotation of `doorsKey`. */
export class SealedWithOtherKey extends Error {
  override name = "SealedWithOtherKey";
}

interface Derived {
  id: Uint8Array;
  key: CryptoKey;
}

/** Derived once per isolate, because a derivation costs more than a decryption. */
const derived = new Map<string, Promise<Derived>>();

function derive(secret: string): Promise<Derived> {
  const known = derived.get(secret);
  if (known !== undefined) return known;
  const [first] = derived.keys();
  if (derived.size >= MAX_DERIVED && first !== undefined) derived.delete(first);
  const deriving = deriveNow(secret);
  derived.set(secret, deriving);
  return deriving;
}

async function deriveNow(secret: string): Promise<Derived> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const bits = async (info: string, length: number) =>
    crypto.subtle.deriveBits(
      { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(`${PURPOSE}:${info}`) },
      material,
      length,
    );
  const [raw, id] = await Promise.all([bits("key", 256), bits("id", KEY_ID_BYTES * 8)]);
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id: new Uint8Array(id), key };
}

const additionalData = (context: string, head: Uint8Array) => {
  const text = encoder.encode(context);
  const data = new Uint8Array(head.length + text.length);
  data.set(head);
  data.set(text, head.length);
  return data;
};

/** Returns the first bytes of everything that the key in use encrypts. */
export async function sealedHead({ used }: DoorKeys): Promise<Uint8Array> {
  const { id } = await derive(used);
  return new Uint8Array([VERSION, ...id]);
}

/** Encrypts a JSON value with the key in use. @param context must be the same for {@link open}: a door's ID */
export async function seal(keys: DoorKeys, context: string, value: unknown): Promise<Uint8Array> {
  const [head, { key }] = await Promise.all([sealedHead(keys), derive(keys.used)]);
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const text = encoder.encode(JSON.stringify(value));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: additionalData(context, head) },
    key,
    text,
  );
  return new Uint8Array([...head, ...iv, ...new Uint8Array(sealed)]);
}

/** @throws SealedWithOtherKey, or another Error for bytes that were changed or have another context */
export async function open(keys: DoorKeys, context: string, bytes: Uint8Array): Promise<unknown> {
  const head = bytes.slice(0, HEAD_BYTES);
  if (head[0] !== VERSION) throw new Error(`The secrets have the unknown format ${head[0]}.`);
  const given = await Promise.all([keys.used, keys.other].flatMap((key) => (key === undefined ? [] : [derive(key)])));
  const found = given.find(({ id }) => id.every((byte, index) => byte === head[index + 1]));
  if (found === undefined) throw new SealedWithOtherKey("The secrets are encrypted with another key.");
  const iv = bytes.slice(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
  const text = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv, additionalData: additionalData(context, head) },
    found.key,
    bytes.slice(HEAD_BYTES + NONCE_BYTES),
  );
  return JSON.parse(new TextDecoder().decode(text));
}

interface Sealing<T> {
  /** @param id of the row that has the bytes, without which they cannot be decrypted */
  seal(keys: DoorKeys, id: string, value: T): Promise<Uint8Array>;
  /** @throws SealedWithOtherKey, or another Error for bytes that were changed or belong to another row */
  open(keys: DoorKeys, id: string, bytes: Uint8Array): Promise<T>;
}

/** How values of a kind are encrypted. @param kind distinguishes them from values of other tables */
export const sealingOf = <T>(kind: string, schema: z.ZodType<T>): Sealing<T> => ({
  seal: (keys, id, value) => seal(keys, `${kind}:${id}`, value),
  open: async (keys, id, bytes) => schema.parse(await open(keys, `${kind}:${id}`, bytes)),
});

export const sealSecrets = (
  keys: DoorKeys,
  doorId: string,
  secrets: Readonly<Record<string, string>>,
): Promise<Uint8Array> => seal(keys, doorId, secrets);

/** @throws as {@link open} */
export async function openSecrets(keys: DoorKeys, doorId: string, bytes: Uint8Array): Promise<Record<string, string>> {
  return secretsOf.parse(await open(keys, doorId, bytes));
}
