/** The current and the previous RS256 signing key, in a private file. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { issueCertificate } from "../x509/certificate.ts";

const MODULUS_BITS = 2048;
const YEARS = 10;
/** Subject of the certificate that Access publishes beside each key. */
const NAME = "cloudflareaccess.localhost";

const keyFile = z.array(z.object({ kid: z.string(), privateKey: z.string(), certificate: z.string() })).min(1);
type StoredKey = z.infer<typeof keyFile>[number];

export class SigningKeys {
  readonly #path: string;
  /** The current key is first. */
  #keys: StoredKey[] = [];
  readonly #public = new Map<string, KeyObject>();

  private constructor(path: string) {
    this.#path = path;
  }

  /** Reads the keys of `directory`, or creates the first. */
  static async open(directory: string): Promise<SigningKeys> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const keys = new SigningKeys(join(directory, "signing-keys.json"));
    if (existsSync(keys.#path)) keys.#use(keyFile.parse(JSON.parse(await readFile(keys.#path, "utf8"))));
    else await keys.rotate();
    return keys;
  }

  /** Signs with a new key. Tokens of the previous key stay valid; those of older keys do not. */
  async rotate(): Promise<void> {
    const keys = [await newKey(), ...this.#keys.slice(0, 1)];
    const partial = `${this.#path}.new`;
    const handle = await open(partial, "w", 0o600);
    await handle.writeFile(JSON.stringify(keys));
    await handle.sync();
    await handle.close();
    await rename(partial, this.#path);
    this.#use(keys);
  }

  current(): { kid: string; key: KeyObject } {
    const [current] = this.#keys;
    if (current === undefined) throw new Error("The signing key is missing.");
    return { kid: current.kid, key: createPrivateKey(current.privateKey) };
  }

  /** Finds the public key of an id among the two. */
  find(kid: string | undefined): KeyObject | undefined {
    return kid === undefined ? undefined : this.#public.get(kid);
  }

  /** Returns the body of `/cdn-cgi/access/certs`. */
  published(): unknown {
    const certificates = this.#keys.map(({ kid, certificate }) => ({ kid, cert: certificate }));
    const keys = [...this.#public].map(([kid, key]) => {
      const { kty, e, n } = key.export({ format: "jwk" });
      return { kid, kty, alg: "RS256", use: "sig", e, n };
    });
    return { keys, public_cert: certificates[0], public_certs: certificates };
  }

  #use(keys: StoredKey[]): void {
    this.#keys = keys;
    this.#public.clear();
    for (const { kid, privateKey } of keys) this.#public.set(kid, createPublicKey(privateKey));
  }
}

async function newKey(): Promise<StoredKey> {
  const pair = await promisify(generateKeyPair)("rsa", {
    modulusLength: MODULUS_BITS,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const key = createPrivateKey(pair.privateKey);
  const from = new Date();
  const until = new Date(from.getTime() + YEARS * 365 * 86_400_000);
  return {
    kid: createHash("sha256").update(pair.publicKey).digest("hex"),
    privateKey: pair.privateKey,
    certificate: issueCertificate(key, { name: NAME, from, until }, { name: NAME, key }),
  };
}
