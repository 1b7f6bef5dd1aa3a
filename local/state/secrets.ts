/** Secrets of one state directory: made once, kept in a file that only its owner reads. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import * as z from "zod";
import { databaseRoles } from "../../database/callers/roles.ts";
import type { Environment } from "../../domain/environment.ts";

const secrets = z.object({
  /** Bearer token of the Cloudflare API and of the edge's own control routes. */
  apiToken: z.string(),
  /** Signs service-role keys of the REST layer. */
  jwtSecret: z.string(),
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

/** A service-role key an environment: they say nothing of time, so that every start deploys the same ones. */
export async function serviceRoleKeys(jwtSecret: string): Promise<Record<Environment, string>> {
  const secret = new TextEncoder().encode(jwtSecret);
  const key = (environment: Environment) =>
    new SignJWT({ role: databaseRoles(environment).dispatch, iss: "tenantry-local" })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .sign(secret);
  return {
    production: await key("production"),
    staging: await key("staging"),
    development: await key("development"),
  };
}
