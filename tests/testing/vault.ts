/**
 * The part of HashiCorp Vault's transit engine that the `hashivault://` secrets provider calls. Test stacks use it because the key of a
 * passphrase takes a million hashes in each run, half of the processor time of a short run.
 *
 * Source: https://developer.hashicorp.com/vault/api-docs/secret/transit
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { Hono } from "hono";
import * as z from "zod";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

const encryptRequest = z.object({ plaintext: z.base64() });
const decryptRequest = z.object({ ciphertext: z.string().regex(/^vault:v1:[\w+/]+=*$/) });

/** @returns variables for the engine, and a function that stops the server */
export async function startVault(): Promise<{ variables: Record<string, string>; stop: () => Promise<void> }> {
  const token = randomBytes(24).toString("base64url");
  /** Keys outlive a run, as cached platforms do. */
  const keyOf = (name: string) => createHash("sha256").update(`test key ${name}`).digest();
  const app = new Hono();
  app.use(async (c, next) => {
    if (c.req.header("x-vault-token") !== token) return c.json({ errors: ["permission denied"] }, 403);
    return next();
  });
  app.put("/v1/transit/encrypt/:name", async (c) => {
    const { plaintext } = encryptRequest.parse(await c.req.json());
    const key = keyOf(c.req.param("name"));
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, key, iv);
    const sealed = Buffer.concat([iv, cipher.update(plaintext, "base64"), cipher.final(), cipher.getAuthTag()]);
    return c.json({ data: { ciphertext: `vault:v1:${sealed.toString("base64")}` } });
  });
  app.put("/v1/transit/decrypt/:name", async (c) => {
    const { ciphertext } = decryptRequest.parse(await c.req.json());
    const key = keyOf(c.req.param("name"));
    const sealed = Buffer.from(ciphertext.slice("vault:v1:".length), "base64");
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const plaintext = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    return c.json({ data: { plaintext: plaintext.toString("base64") } });
  });
  app.onError((error, c) => c.json({ errors: [error.message] }, 400));
  const server = createServer(getRequestListener(app.fetch));
  const port = await listen(server, { port: 0 });
  return {
    variables: {
      SECRETS_PROVIDER: "hashivault://tenantry-tests",
      VAULT_SERVER_URL: `http://127.0.0.1:${port}`,
      VAULT_SERVER_TOKEN: token,
    },
    stop: () => closeAndCut(server),
  };
}
