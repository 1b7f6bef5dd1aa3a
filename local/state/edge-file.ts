/** `edge.json` in the state directory: what scripts need to talk to a running edge. It holds tokens, so only its owner reads it. */
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
  /** Issuer of Access tokens, and where people log in. */
  access: accessIssuer,
  dispatch: dispatchUrls,
  mail: z.object({ smtp: z.string(), api: z.url() }),
  /** Base of the automation service's `/healthz` and `/metrics`. */
  automation: z.url(),
  tenants: z.array(z.object({ slug: z.string(), url: z.url() })),
  users: z.array(z.object({ email: z.string(), role: z.string(), tenant: z.string().nullable() })),
});
export type EdgeFile = z.infer<typeof edgeFile>;

/** What the file says of a running edge. */
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

/** The edge that a file tells of, as the engine is pointed at it. */
export function targetOf({
  api: apiUrl,
  access: accessIssuer,
  dispatch: dispatchUrls,
  ...file
}: EdgeFile): EngineTarget {
  return engineTarget.parse({ ...file, apiUrl, accessIssuer, dispatchUrls });
}

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
