import * as z from "zod";
import { exportState } from "#automation/engine/state/scratch-backend.ts";
import { environments } from "#domain/environment.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetFileErrors } from "#domain/errors/commands/fleet-files.ts";
import type { ClientSettings } from "#stack/settings/settings.ts";
import { isDashboards } from "../outcome/plain-state.ts";
import { readLoosely, readStackFile, type StackFile } from "./stack-file.ts";
import type { Target } from "./target.ts";

export interface FileContent extends Pick<StackFile, "config" | "encryption"> {
  /** Empty for a deleted file. */
  clients: readonly ClientSettings[];
}

const backupSettings = z.object({
  "tenantry:environment": z.enum(environments).catch("production").default("production"),
  "tenantry:backupBeforeRedeploy": z.boolean().catch(true).default(true),
});

/** Does not check the settings of a deleted file. @throws Error with a line for each fault */
export function readTarget({ stack, file, text, removal, moved }: Target): FileContent {
  if (moved.length > 0) {
    throw new CatalogueError(fleetFileErrors.deleted_tenant_declared_elsewhere, { file, tenants: moved.join(", ") });
  }
  if (removal) return { ...readLoosely(stack, text), clients: [] };
  const { config, encryption, settings } = readStackFile(stack, text);
  return { config, encryption, clients: settings.clients };
}

/** Whether tenants are backed up before their containers end. Outside production, a removed tenant's bucket is deleted too. */
export function backsUp({ config }: FileContent): { backsUp: boolean; backsUpRemoved: boolean } {
  const { "tenantry:environment": environment, "tenantry:backupBeforeRedeploy": isEnabled } =
    backupSettings.parse(config);
  return { backsUp: isEnabled, backsUpRemoved: isEnabled && environment === "production" };
}

/** Returns why a stack whose file was deleted needs no removal; `undefined` if it does, or if its file exists. */
export async function whyUnneeded(
  { stack, removal }: Pick<Target, "stack" | "removal">,
  variables: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (!removal) return undefined;
  const state = await exportState(stack, variables);
  if (state === undefined) return "it is destroyed already";
  return isDashboards(state) ? "its tenant was released to the dashboard and stays" : undefined;
}
