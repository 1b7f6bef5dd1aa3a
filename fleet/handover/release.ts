/** Hands a tenant from Git over to the dashboard: deploys its stack by its rows and deletes its file. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { platformStackOf } from "#automation/engine/platform-stacks.ts";
import { type ExportedState, exportState } from "#automation/engine/state/scratch-backend.ts";
import { dashboardSettings } from "#automation/stacks/dashboard-settings.ts";
import type { Deployed, TenantRows } from "#database/tenants/handover.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetHandoverErrors as errors } from "#domain/errors/commands/fleet-handover.ts";
import { tenantStackName } from "#domain/tenants/tenant-stack.ts";
import { fileOfStack, readStackFile } from "../files/stack-file.ts";
import { deployedTenants, isDashboards } from "../outcome/plain-state.ts";
import { deployStack, Handover, type HandoverOptions, owningStack } from "./handover.ts";
import { clientRecord, doorResources, forbiddenChanges, rehearseHandover } from "./rehearsal.ts";

/** Settings that the dashboard can store. */
const STORED_SETTINGS = new Set([
  "tenantry:environment",
  "tenantry:platformStack",
  "tenantry:managedBy",
  "tenantry:clients",
  "tenantry:doorSecrets",
  "tenantry:partners",
]);

/**
 * Also continues an interrupted release or undoes an adoption. @throws Error; nothing has changed unless it says to run the command again
 */
export async function releaseTenant(options: HandoverOptions): Promise<void> {
  const { slug, environment, directory, say } = options;
  const stack = tenantStackName(slug, environment);
  const state = await exportState(stack, options.variables);
  const platformStack = platformStackOf(state);
  if (state === undefined || platformStack === undefined || !deployedTenants(state).has(slug)) {
    throw new CatalogueError(errors.release_stack_not_found, { stack, slug });
  }
  const handover = await Handover.begin({ ...options, platformStack });
  try {
    const { rows } = handover;
    checkRows(rows, stack);
    const file = join(directory, fileOfStack(stack));
    if (rows.managedBy === "dashboard" && isDashboards(state) && !existsSync(file)) {
      say(`The dashboard manages ${slug} already.`);
      return;
    }
    const isGits = rows.managedBy === "git";
    // Without an owner, this undoes an interrupted adoption, whose rows are right already.
    const declared = isGits && rows.owner !== null ? await readDeclared(options, stack, file, state) : undefined;
    // From here on, runs of the file are refused. The dashboard may change the tenant: its runs do the same as the one below.
    if (isGits) await handover.setManager("dashboard", (current) => checkRows(current, stack), declared);
    const config = dashboardSettings(environment, platformStack, declaredTenant(await handover.currentRows()));
    try {
      const allowed = { handed: [clientRecord(stack, slug), ...doorResources(state)], updates: "any" } as const;
      const changes = await rehearseHandover(options, { [stack]: state }, (rehearsal) =>
        rehearsal.preview(stack, config),
      );
      const forbidden = forbiddenChanges(changes, allowed);
      if (forbidden.length > 0) {
        throw new CatalogueError(errors.release_changes_tenant, { slug, changes: forbidden.join("; "), stack });
      }
    } catch (error) {
      if (isGits) await handover.setManager("git");
      throw error;
    }
    await deployStack(options, { stack, config }, errors.release_incomplete);
    if (existsSync(file)) rmSync(file);
    say(`The dashboard manages ${slug}. Commit the removal of ${relative(process.cwd(), file)}.`);
  } finally {
    await handover.end();
  }
}

function checkRows({ slug, owner, isDeleted, instance }: TenantRows, stack: string): void {
  const current = owningStack(owner);
  if (current !== undefined && current !== stack) {
    throw new CatalogueError(errors.release_of_other_stack, { slug, current, stack });
  }
  if (isDeleted || instance === null) throw new CatalogueError(errors.release_without_instance, { slug });
}

/** Reads what the file declares. @throws Error if the dashboard cannot store all of it */
async function readDeclared(
  options: HandoverOptions,
  stack: string,
  file: string,
  state: ExportedState,
): Promise<Deployed> {
  const { slug } = options;
  if (!existsSync(file)) {
    throw new CatalogueError(errors.release_file_not_found, { file, slug });
  }
  const { config, settings } = readStackFile(stack, readFileSync(file, "utf8"));
  const [client, ...others] = settings.clients;
  if (client?.slug !== slug || others.length > 0 || settings.partners.length > 0 || settings.platform !== undefined) {
    throw new CatalogueError(errors.release_file_declares_more, { file, slug });
  }
  const lost = Object.keys(config).filter((key) => !STORED_SETTINGS.has(key));
  if (lost.length > 0) {
    throw new CatalogueError(errors.release_setting_not_stored, { file, settings: lost.join(", ") });
  }
  const changes = await rehearseHandover(options, { [stack]: state }, (rehearsal) => rehearsal.preview(stack, config));
  const forbidden = forbiddenChanges(changes, { updates: "none" });
  if (forbidden.length > 0) {
    throw new CatalogueError(errors.release_of_undeployed_file, { slug, file, changes: forbidden.join("; "), stack });
  }
  const [instance] = client.instances;
  return { tokenVersion: instance?.tokenVersion ?? 1, image: instance?.image };
}

function declaredTenant({ slug, name, plan, status: clientStatus, instance }: TenantRows) {
  return {
    slug,
    name,
    plan,
    clientStatus,
    tokenVersion: instance?.tokenVersion ?? 1,
    gatewayId: instance?.gatewayId ?? null,
    image: instance?.image ?? null,
  };
}
