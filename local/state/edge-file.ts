/** `edge.json` in the state directory: what scripts need to talk to a running edge. It holds tokens, so only its owner reads it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { environments } from "../../domain/environment.ts";

export const edgeFile = z.object({
  domain: z.string(),
  port: z.number().int(),
  /** Base of the Cloudflare API. */
  api: z.url(),
  apiToken: z.string(),
  accountId: z.string(),
  zoneId: z.string(),
  /** Superuser's PostgreSQL URL. */
  databaseUrl: z.string(),
  /** Base of the database's REST layer. */
  restUrl: z.url(),
  /** A key of the REST layer for each environment. */
  serviceRoleKeys: z.record(z.enum(environments), z.string()),
  /** Issuer of Access tokens, and where people log in. */
  access: z.url(),
  /** Base at which each environment's dispatch Worker takes calls of the platform's own. */
  dispatch: z.record(z.enum(environments), z.url()),
  mail: z.object({ smtp: z.string(), api: z.url() }),
  /** Encrypts secrets in the stack's state. */
  passphrase: z.string(),
  /** Image of the gateways where a real container engine runs them. */
  containerImage: z.string().optional(),
  tenants: z.array(z.object({ slug: z.string(), url: z.url() })),
  users: z.array(z.object({ email: z.string(), role: z.string(), tenant: z.string().nullable() })),
});
export type EdgeFile = z.infer<typeof edgeFile>;

const path = (directory: string) => join(directory, "edge.json");

export function writeEdgeFile(directory: string, content: EdgeFile): void {
  // Removed first, so that a file left with other rights does not keep them.
  removeEdgeFile(directory);
  writeFileSync(path(directory), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: "wx" });
}

export function removeEdgeFile(directory: string): void {
  rmSync(path(directory), { force: true });
}

/** @throws Error with one sentence when no edge runs there */
export function readEdgeFile(directory: string): EdgeFile {
  let text: string;
  try {
    text = readFileSync(path(directory), "utf8");
  } catch {
    throw new Error(`No local edge runs on ${directory}; start one with npm start.`);
  }
  return edgeFile.parse(JSON.parse(text));
}
