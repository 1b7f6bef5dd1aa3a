/** A tenant of Git's becomes the dashboard's: its stack goes on with what its rows say, and its file goes. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { platformStackOf } from "#automation/engine/platform-stacks.ts";
import { EngineRuns } from "#automation/engine/runs.ts";
import { type ExportedState, exportState } from "#automation/engine/state/scratch-backend.ts";
import { dashboardSettings } from "#automation/stacks/dashboard-settings.ts";
import type { Deployed, TenantRows } from "#database/tenants/hand-over.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import { tenantStackName } from "#domain/tenants/tenant-stack.ts";
import { failureText } from "../failure.ts";
import { fileOfStack, readStackFile } from "../files/stack-file.ts";
import { deployedTenants, isDashboards } from "../outcome/plain-state.ts";
import { HandOver } from "./hand-over.ts";
import type { HandOverOptions } from "./options.ts";
import { clientRecord, losses, Rehearsal } from "./rehearsal.ts";

/** What a file may set, of which the dashboard keeps all. */
const KEPT = new Set([
  "tenantry:environment",
  "tenantry:platformStack",
  "tenantry:managedBy",
  "tenantry:clients",
  "tenantry:partners",
]);

/**
 * Carries it out, or goes on where a killed run stopped; an adoption that was interrupted is taken back.
 *
 * @throws Error with one sentence; nothing has changed then, unless it says that it is to be run again
 */
export async function release(options: HandOverOptions): Promise<void> {
  const { slug, environment, directory, say } = options;
  const stack = tenantStackName(slug, environment);
  const state = await exportState(stack, options.variables);
  const platformStack = platformStackOf(state);
  if (state === undefined || platformStack === undefined || !deployedTenants(state).has(slug)) {
    throw new Error(
      `There is no stack ${stack} with the tenant ${slug}. The dashboard has a tenant's stack by that name alone: if another stack has it, ` +
        `npm run fleet -- move ${slug} --to ${stack} first; if it is of another environment, say --environment.`,
    );
  }
  const handOver = await HandOver.begin({ ...options, platformStack });
  try {
    const { rows } = handOver;
    refuseOthers(rows, stack);
    const file = join(directory, fileOfStack(stack));
    if (rows.managedBy === "dashboard" && isDashboards(state) && !existsSync(file)) {
      say(`${slug} is the dashboard's already.`);
      return;
    }
    const gits = rows.managedBy === "git";
    // What an adoption that was killed left is taken back as it is.
    const declared = gits && rows.owner !== null ? await declaredTenant(options, stack, file, state) : undefined;
    // From here on a run of the file is refused, and the dashboard may change the tenant: its runs do the same as the one below.
    if (gits) await handOver.setManager("dashboard", (now) => refuseOthers(now, stack), declared);
    const config = dashboardSettings(environment, platformStack, declaredBy(await handOver.now()));
    try {
      await rehearse(options, stack, config, state);
    } catch (error) {
      if (gits) await handOver.setManager("git");
      throw error;
    }
    await bringUp(options, stack, config);
    if (existsSync(file)) rmSync(file);
    say(`${slug} is the dashboard's: commit the removal of ${relative(process.cwd(), file)}.`);
  } finally {
    await handOver.end();
  }
}

function refuseOthers({ slug, owner, isDeleted, instance }: TenantRows, stack: string): void {
  const own = owner === null ? undefined : stackOf(owner)?.split("/").at(-1);
  if (own !== undefined && own !== stack) {
    throw new Error(`${slug} is in the stack ${own}: npm run fleet -- move ${slug} --to ${stack} first.`);
  }
  if (isDeleted || instance === null) throw new Error(`The client ${slug} has no instance, or is being deleted.`);
}

/** What the file says of the tenant, once it is certain that the dashboard's rows hold all of it. */
async function declaredTenant(
  options: HandOverOptions,
  stack: string,
  file: string,
  state: ExportedState,
): Promise<Deployed> {
  const { slug } = options;
  if (!existsSync(file)) {
    throw new Error(
      `There is no ${file}, by which ${slug} was deployed: have it back, or npm run fleet -- adopt ${slug}, which writes it.`,
    );
  }
  const { config, settings } = readStackFile(stack, readFileSync(file, "utf8"));
  const [client, ...others] = settings.clients;
  if (client?.slug !== slug || others.length > 0 || settings.partners.length > 0 || settings.platform !== undefined) {
    throw new Error(`${file} declares more than ${slug}: move the rest to another stack first.`);
  }
  const lost = Object.keys(config).filter((key) => !KEPT.has(key));
  if (lost.length > 0) {
    throw new Error(
      `${file} sets ${lost.join(", ")}, which stacks of the dashboard's have not: take it out and bring the stack up first.`,
    );
  }
  const rehearsal = new Rehearsal(options);
  try {
    rehearsal.hold(stack, state);
    const changes = losses(await rehearsal.preview(stack, config), { updates: "none" });
    if (changes.length > 0) {
      throw new Error(
        `${slug} is not deployed as ${file} says: ${changes.join("; ")}. npm run fleet -- up ${stack} first.`,
      );
    }
  } finally {
    rehearsal.close();
  }
  const [instance] = client.instances;
  return { tokenVersion: instance?.tokenVersion ?? 1, image: instance?.image };
}

/** A tenant by its rows, as the automation service has it. */
function declaredBy({ slug, name, plan, status: clientStatus, instance }: TenantRows) {
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

async function rehearse(
  options: HandOverOptions,
  stack: string,
  config: Readonly<Record<string, unknown>>,
  state: ExportedState,
): Promise<void> {
  const rehearsal = new Rehearsal(options);
  try {
    rehearsal.hold(stack, state);
    const changes = await rehearsal.preview(stack, config);
    const lost = losses(changes, { handed: [clientRecord(stack, options.slug)], updates: "any" });
    if (lost.length > 0) throw new Error(`${options.slug} would not stay as it is: ${lost.join("; ")}.`);
  } finally {
    rehearsal.close();
  }
}

async function bringUp(
  { slug, signal, say, ...engine }: HandOverOptions,
  stack: string,
  config: Record<string, unknown>,
): Promise<void> {
  try {
    await new EngineRuns(engine).run({ stack, operation: "up", config }, { onRecovered: say, signal });
  } catch (error) {
    throw new Error(`${failureText(error)}\nRun release ${slug} again: it goes on from here.`, { cause: error });
  }
}
