/** A tenant of the dashboard's becomes Git's: a file says what its rows say, and its stack goes on with that. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { platformStackOf } from "#automation/engine/platform-stacks.ts";
import { type Encryption, encryptionOf } from "#automation/engine/project.ts";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { EngineRuns } from "#automation/engine/runs.ts";
import { type ExportedState, exportState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import type { TenantRows } from "#database/tenants/hand-over.ts";
import { environments } from "#domain/environment.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import { declaredClient } from "#domain/tenants/tenant-declaration.ts";
import { tenantStackName } from "#domain/tenants/tenant-stack.ts";
import { failureText } from "../failure.ts";
import { fileOfStack, readStackFile } from "../files/stack-file.ts";
import { writeWhole } from "../files/write-whole.ts";
import { deployedTenants } from "../outcome/plain-state.ts";
import { HandOver } from "./hand-over.ts";
import type { HandOverOptions } from "./options.ts";
import { clientRecord, losses, Rehearsal } from "./rehearsal.ts";
import { declaresSame, stackFileText } from "./tenant-file.ts";

/**
 * Carries it out, or goes on where a killed run stopped.
 *
 * @throws Error with one sentence; nothing has changed then, unless it says that it is to be run again
 */
export async function adopt(options: HandOverOptions): Promise<void> {
  const { slug, environment, directory, say } = options;
  const stack = tenantStackName(slug, environment);
  const state = await exportState(stack, options.variables);
  const platformStack = platformStackOf(state);
  if (state === undefined || platformStack === undefined || !deployedTenants(state).has(slug)) {
    throw new Error(await notThere(options, stack));
  }
  const handOver = await HandOver.begin({ ...options, platformStack });
  try {
    const file = join(directory, fileOfStack(stack));
    const textOf = (rows: TenantRows) =>
      textFor(rows, { stack, platformStack, encryption: encryptionOf(state.deployment) });
    const check = (rows: TenantRows) => {
      refuseOthers(rows, stack);
      refuseOtherFile(stack, file, textOf(rows));
    };
    check(handOver.rows);
    const claimed = handOver.rows.managedBy === "dashboard";
    // From here on the dashboard refuses changes, and the rows stay as the file says them.
    await handOver.setManager("git", check);
    const text = textOf(await handOver.now());
    const written = !existsSync(file);
    if (written) writeWhole(file, text);
    try {
      await rehearse(options, stack, text, state);
    } catch (error) {
      if (claimed) {
        await handOver.setManager("dashboard");
        if (written) rmSync(file);
      }
      throw error;
    }
    await bringUp(options, stack, text);
    say(`${slug} is Git's: commit ${relative(process.cwd(), file)}.`);
  } finally {
    await handOver.end();
  }
}

async function rehearse(options: HandOverOptions, stack: string, text: string, state: ExportedState): Promise<void> {
  const rehearsal = new Rehearsal(options);
  try {
    rehearsal.hold(stack, state);
    const changes = await rehearsal.preview(stack, readStackFile(stack, text).config);
    const lost = losses(changes, { handed: [clientRecord(stack, options.slug)], updates: "any" });
    if (changes.some(changesWorker)) {
      options.say(`${options.slug} gets the Worker of this checkout, as every tenant of Git's.`);
    }
    if (lost.length === 0) return;
    throw new Error(
      `${options.slug} is not deployed as its rows say, and would not stay as it is: ${lost.join("; ")}. Have the dashboard bring it up to date first, ` +
        "by the operation that failed there.",
    );
  } finally {
    rehearsal.close();
  }
}

const changesWorker = ({ type, operation, paths }: ResourceChange) =>
  type === "tenantry:index:NamespacedScript" && operation === "update" && paths.includes("contentHash");

async function bringUp({ slug, signal, say, ...engine }: HandOverOptions, stack: string, text: string): Promise<void> {
  try {
    const { config, encryption } = readStackFile(stack, text);
    await new EngineRuns(engine).run({ stack, operation: "up", config, encryption }, { onRecovered: say, signal });
  } catch (error) {
    throw new Error(
      `${failureText(error)}\nRun adopt ${slug} again: it goes on from here, and release ${slug} takes it back.`,
      {
        cause: error,
      },
    );
  }
}

/** What keeps a tenant's rows from being Git's. */
function refuseOthers(rows: TenantRows, stack: string): void {
  const { slug, managedBy, owner, instance, isDeleted } = rows;
  const others = owner === null ? undefined : stackOf(owner)?.split("/").at(-1);
  if (managedBy === "git" && others !== stack && others !== undefined) {
    throw new Error(`${slug} is Git's already: its stack is ${others}.`);
  }
  if (isDeleted) throw new Error(`The client ${slug} is being deleted in the dashboard. Restore it there first.`);
  if (instance === null) throw new Error(`The client ${slug} has no instance: create it at the dashboard first.`);
  if (instance.owner === null || stackOf(instance.owner)?.split("/").at(-1) !== stack) {
    throw new Error(`The instance of ${slug} is not one of the stack ${stack}: provision it at the dashboard first.`);
  }
  // Of Git's own an earlier run of adopt may have been killed.
  if (managedBy === "dashboard" && instance.status !== "running" && instance.status !== "frozen") {
    throw new Error(`The instance of ${slug} is ${instance.status}: bring it to an end at the dashboard first.`);
  }
}

function refuseOtherFile(stack: string, file: string, text: string): void {
  if (!existsSync(file) || declaresSame(stack, readFileSync(file, "utf8"), text)) return;
  throw new Error(
    `${file} is there and declares something else than the tenant is; remove it, or have it say:\n\n${text}`,
  );
}

interface DashboardStack {
  stack: string;
  platformStack: string;
  encryption: Encryption;
}

function textFor(rows: TenantRows, { platformStack, encryption }: DashboardStack): string {
  const { environment } = rows;
  return stackFileText({
    ...{ encryption, environment, platformStack: qualifiedStack(platformStack) },
    clients: [declaredClient(rows)],
  });
}

/** Why there is nothing to adopt, with where else there is. */
async function notThere({ slug, environment, variables }: HandOverOptions, stack: string): Promise<string> {
  const others = environments.filter((other) => other !== environment);
  const found = await Promise.all(
    others.map(async (other) => [other, await exportState(tenantStackName(slug, other), variables)] as const),
  );
  const elsewhere = found.filter(([, state]) => state !== undefined).map(([other]) => `--environment ${other}`);
  const hint = elsewhere.length === 0 ? "" : ` There is one by ${elsewhere.join(" and ")}.`;
  return `There is no tenant ${slug} of the dashboard's in ${environment}: the stack ${stack} is not there, or never held it.${hint}`;
}
