/** `edge.json` in the state directory: addresses and tokens of a running edge for scripts. Only its owner can read it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type EngineTarget, engineTarget } from "../engine-target.ts";

const { apiUrl, accessIssuer, dispatchUrls, ...sameName } = engineTarget.shape;

export const edgeFile = z.object({
  ...sameName,
  domain: z.string(),
  port: z.number().int(),
  accountId: z.string(),
  zoneId: z.string(),
  api: apiUrl,
  /** Issuer of Access tokens and address of the login. */
  access: accessIssuer,
  dispatch: dispatchUrls,
  mail: z.object({ smtp: z.string(), api: z.url() }),
  /** Base URL of the automation service's `/healthz` and `/metrics`. */
  automation: z.url(),
  tenants: z.array(z.object({ slug: z.string(), url: z.url() })),
  users: z.array(z.object({ email: z.string(), role: z.string(), tenant: z.string().nullable() })),
});
export type EdgeFile = z.infer<typeof edgeFile>;

export function describeEdge(
  {
    apiUrl: api,
    accessIssuer: access,
    dispatchUrls: dispatch,
    ...edge
  }: EngineTarget & Omit<EdgeFile, "api" | "access" | "dispatch" | "automation" | "tenants" | "users">,
  deployed: Pick<EdgeFile, "automation" | "tenants" | "users">,
): EdgeFile {
  return edgeFile.parse({ ...edge, ...deployed, api, access, dispatch });
}

export function targetOf({
  api: apiUrl,
  access: accessIssuer,
  dispatch: dispatchUrls,
  ...file
}: EdgeFile): EngineTarget {
  return engineTarget.parse({ ...file, apiUrl, accessIssuer, dispatchUrls });
}

const edgeFilePath = (directory: string) => join(directory, "edge.json");

export function writeEdgeFile(directory: string, content: EdgeFile): void {
  // A new file, because an existing one keeps its permissions.
  removeEdgeFile(directory);
  writeFileSync(edgeFilePath(directory), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: "wx" });
}

export function removeEdgeFile(directory: string): void {
  rmSync(edgeFilePath(directory), { force: true });
}

/** @throws Error when no edge runs on the directory */
export function readEdgeFile(directory: string): EdgeFile {
  let text: string;
  try {
    text = readFileSync(edgeFilePath(directory), "utf8");
  } catch {
    throw new Error(`No local edge runs on ${directory}. Start one with npm start.`);
  }
  return edgeFile.parse(JSON.parse(text));
}
