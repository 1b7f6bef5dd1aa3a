/** Files of tenants' containers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { workspacesOf } from "@tenantry/edge/testing/runtime";
import type { LiveTenant } from "./live-tenant.ts";

/** Returns the files of the tenant's container that contain a text. */
export function filesWith({ edge }: Pick<LiveTenant, "edge">, text: string): string[] {
  const workspaces = workspacesOf(join(edge.directory, "containers"));
  if (workspaces.length === 0) throw new Error("no container runs");
  return workspaces
    .flatMap((workspace) => readdirSync(workspace, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => contentOf(path).includes(text));
}

/** Returns a file's content; empty if the gateway has deleted it meanwhile. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
