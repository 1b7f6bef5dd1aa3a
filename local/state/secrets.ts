/** Secrets of a state directory, in a file that only its owner can read. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RestKey, readRestKeys } from "@tenantry/postgrest";
import { SignJWT } from "jose";
import * as z from "zod";
import { databaseRoles } from "#database/callers/roles.ts";
import type { Environment } from "#domain/environment.ts";

const secrets = z.object({
  /** Bearer token of the Cloudflare API and of the edge's control routes. */
  apiToken: z.string(),
  /** Signs the REST layer's service-role keys: a secret, or a JWK Set whose last key signs. */
  jwtSecret: z.string(),
  /** API keys of the REST layer. Default: none is required. */
  apiKeys: z.array(z.string().min(1)).optional(),
  /** Encrypts secrets in the stack's state. */
  passphrase: z.string(),
});
export type Secrets = z.infer<typeof secrets>;

export function loadSecrets(directory: string): Secrets {
  const path = join(directory, "secrets.json");
  if (!existsSync(path)) {
    const random = () => randomBytes(32).toString("base64url");
    const created: Secrets = { apiToken: random(), jwtSecret: random(), passphrase: random() };
    writeFileSync(path, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  }
  return secrets.parse(JSON.parse(readFileSync(path, "utf8")));
}

export function saveSecrets(directory: string, changed: Partial<Omit<Secrets, "apiToken">>): void {
  const text = `${JSON.stringify({ ...loadSecrets(directory), ...changed }, null, 2)}\n`;
  const path = join(directory, "secrets.json");
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Returns a key per environment, without timestamps, so that every start deploys the same keys. */
export async function serviceRoleKeys(jwtSecret: string): Promise<Record<Environment, string>> {
  const { kid, secret } = readRestKeys(jwtSecret).at(-1) as RestKey;
  const key = (environment: Environment) =>
    new SignJWT({ role: databaseRoles(environment).dispatch, iss: "tenantry-local" })
      .setProtectedHeader({ alg: "HS256", typ: "JWT", ...(kid !== undefined && { kid }) })
      .sign(secret);
  return {
    production: await key("production"),
    staging: await key("staging"),
    development: await key("development"),
  };
}
