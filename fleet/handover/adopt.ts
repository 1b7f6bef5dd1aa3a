/** Hands a tenant from the dashboard over to Git: writes a file from its rows and deploys its stack by that file. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { platformStackOf } from "#automation/engine/platform-stacks.ts";
import { encryptionOf } from "#automation/engine/project.ts";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { type ExportedState, exportState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import type { TenantRows } from "#database/tenants/handover.ts";
import { environments } from "#domain/environment.ts";
import { declaredClient } from "#domain/tenants/tenant-declaration.ts";
import { tenantStackName } from "#domain/tenants/tenant-stack.ts";
import { fileOfStack, readStackFile, writeWhole } from "../files/stack-file.ts";
import { deployedTenants } from "../outcome/plain-state.ts";
import { deployStack, Handover, type HandoverOptions, owningStack } from "./handover.ts";
import { clientRecord, forbiddenChanges, rehearseHandover } from "./rehearsal.ts";
import { declaresSame, stackFileText } from "./tenant-file.ts";

/** Also continues an interrupted adoption. @throws Error; nothing has changed unless it says to run the command again */
export async function adoptTenant(options: HandoverOptions): Promise<void> {
  const { slug, environment, directory, say } = options;
  const stack = tenantStackName(slug, environment);
  const state = await exportState(stack, options.variables);
  const platformStack = platformStackOf(state);
  if (state === undefined || platformStack === undefined || !deployedTenants(state).has(slug)) {
    throw new Error(await notFoundText(options, stack));
  }
  const handover = await Handover.begin({ ...options, platformStack });
  try {
    const file = join(directory, fileOfStack(stack));
    const textOf = (rows: TenantRows) =>
      stackFileText({
        encryption: encryptionOf(state.deployment),
        environment: rows.environment,
        platformStack: qualifiedStack(platformStack),
        clients: [declaredClient(rows)],
      });
    const check = (rows: TenantRows) => {
      checkRows(rows, stack);
      checkFile(stack, file, textOf(rows));
    };
    check(handover.rows);
    const claimed = handover.rows.managedBy === "dashboard";
    // From here on, the dashboard refuses changes, so the rows keep matching the file.
    await handover.setManager("git", check);
    const text = textOf(await handover.currentRows());
    const written = !existsSync(file);
    if (written) writeWhole(file, text);
    try {
      await refuseChanges(options, stack, text, state);
    } catch (error) {
      if (claimed) {
        await handover.setManager("dashboard");
        if (written) rmSync(file);
      }
      throw error;
    }
    const { config, encryption } = readStackFile(stack, text);
    const retry = `Run adopt ${slug} again to continue, or release ${slug} to undo it.`;
    await deployStack(options, { stack, config, encryption }, retry);
    say(`Git manages ${slug}. Commit ${relative(process.cwd(), file)}.`);
  } finally {
    await handover.end();
  }
}

async function refuseChanges(options: HandoverOptions, stack: string, text: string, state: ExportedState) {
  const { slug, say } = options;
  const { config } = readStackFile(stack, text);
  const changes = await rehearseHandover(options, { [stack]: state }, (rehearsal) => rehearsal.preview(stack, config));
  if (changes.some(changesWorker)) say(`${slug} gets the Worker of this checkout, like every tenant that Git manages.`);
  const forbidden = forbiddenChanges(changes, { handed: [clientRecord(stack, slug)], updates: "any" });
  if (forbidden.length === 0) return;
  throw new Error(
    `The deployment of ${slug} does not match its rows: ${forbidden.join("; ")}. Repeat the operation that failed in the dashboard first.`,
  );
}

const changesWorker = ({ type, operation, paths }: ResourceChange) =>
  type === "tenantry:index:NamespacedScript" && operation === "update" && paths.includes("contentHash");

function checkRows({ slug, managedBy, owner, instance, isDeleted }: TenantRows, stack: string): void {
  const current = owningStack(owner);
  if (managedBy === "git" && current !== stack && current !== undefined) {
    throw new Error(`Git manages ${slug} already, in the stack ${current}.`);
  }
  if (isDeleted) throw new Error(`The client ${slug} is being deleted in the dashboard. Restore it there first.`);
  if (instance === null) throw new Error(`The client ${slug} has no instance. Create it in the dashboard first.`);
  if (owningStack(instance.owner) !== stack) {
    throw new Error(
      `The instance of ${slug} does not belong to the stack ${stack}. Provision it in the dashboard first.`,
    );
  }
  // An interrupted adoption may have left any status.
  if (managedBy === "dashboard" && instance.status !== "running" && instance.status !== "frozen") {
    throw new Error(`The instance of ${slug} is ${instance.status}. Complete the operation in the dashboard first.`);
  }
}

function checkFile(stack: string, file: string, text: string): void {
  if (!existsSync(file) || declaresSame(stack, readFileSync(file, "utf8"), text)) return;
  throw new Error(`${file} exists and does not match the tenant. Delete it, or change it to:\n\n${text}`);
}

async function notFoundText({ slug, environment, variables }: HandoverOptions, stack: string): Promise<string> {
  const others = environments.filter((other) => other !== environment);
  const states = await Promise.all(others.map((other) => exportState(tenantStackName(slug, other), variables)));
  const found = others.filter((_, index) => states[index] !== undefined).map((other) => `--environment ${other}`);
  const hint = found.length === 0 ? "" : ` It exists with ${found.join(" and ")}.`;
  return `The dashboard has no deployed tenant ${slug} in ${environment}: the stack ${stack} does not exist or does not have it.${hint}`;
}
