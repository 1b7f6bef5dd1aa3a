/** Secrets of one state directory: made once, kept in a file that only its owner reads. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RestKey, readRestKeys } from "@tenantry/postgrest";
import { SignJWT } from "jose";
import * as z from "zod";
import { databaseRoles } from "#database/callers/roles.ts";
import type { Environment } from "#domain/environment.ts";

const secrets = z.object({
  /** Bearer token of the Cloudflare API and of the edge's own control routes. */
  apiToken: z.string(),
  /** Signs service-role keys of the REST layer: one secret, or a JWK Set, whose last key signs. */
  jwtSecret: z.string(),
  /** API keys of which calls of the REST layer must carry one. Default: none is demanded. */
  apiKeys: z.array(z.string().min(1)).optional(),
  /** Encrypts secrets in the stack's state. */
  passphrase: z.string(),
});
export type Secrets = z.infer<typeof secrets>;

export function loadSecrets(directory: string): Secrets {
  const path = join(directory, "secrets.json");
  if (!existsSync(path)) {
    const random = () => randomBytes(32).toString("base64url");
    const made: Secrets = { apiToken: random(), jwtSecret: random(), passphrase: random() };
    writeFileSync(path, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  }
  return secrets.parse(JSON.parse(readFileSync(path, "utf8")));
}

/** Keeps others of the secrets. */
export function saveSecrets(directory: string, changed: Partial<Omit<Secrets, "apiToken">>): void {
  const text = `${JSON.stringify({ ...loadSecrets(directory), ...changed }, null, 2)}\n`;
  const path = join(directory, "secrets.json");
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** A service-role key an environment: they say nothing of time, so that every start deploys the same ones. */
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
