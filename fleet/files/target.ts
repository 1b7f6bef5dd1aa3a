/** A stack that a run deploys or destroys. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { changedFiles } from "./changed-files.ts";
import { fileOfStack, readLoosely, stackOfFile } from "./stack-file.ts";

export interface Target {
  stack: string;
  file: string;
  /** Content of the file, or its last content if it was deleted. */
  text: string;
  /** Whether the file was deleted, so the stack is to be destroyed. */
  removal: boolean;
  /** Tenants of a deleted file that another file declares now: `acme (Pulumi.prod-new.yaml)`. */
  moved: readonly string[];
}

export interface TargetArgs {
  directory: string;
  /** Commit: only files that changed or were deleted since. Default: all files. */
  since: string | undefined;
  stacks: readonly string[];
}

const clients = z.object({
  "tenantry:environment": z.string().catch("production").default("production"),
  "tenantry:clients": z
    .array(z.object({ slug: z.string() }))
    .catch([])
    .default([]),
});

/** Returns targets by name, removals last. @throws Error with one sentence */
export async function findTargets({ directory, since, stacks }: TargetArgs): Promise<Target[]> {
  const files = readdirSync(directory).filter((name) => stackOfFile(name) !== undefined);
  const textOf = (name: string) => readFileSync(join(directory, name), "utf8");
  const changed = since === undefined ? undefined : await changedFiles(directory, since);
  const declared = new Map(files.flatMap((file) => tenantsOf(file, textOf(file)).map((tenant) => [tenant, file])));
  const present = files
    .filter((name) => changed === undefined || changed.present.includes(name))
    .map((file) => targetOfFile(file, textOf(file)));
  const deleted = [...(changed?.deleted ?? [])].map(([file, text]) => {
    const moved = tenantsOf(file, text).flatMap((tenant) => {
      const other = declared.get(tenant);
      return other === undefined ? [] : [`${tenant.split("/").at(-1)} (${other})`];
    });
    return { ...targetOfFile(file, text), removal: true, moved };
  });
  const found = [...byName(present), ...byName(deleted)];
  const unknown = stacks.find((name) => !found.some(({ stack }) => stack === name));
  if (unknown !== undefined) {
    const file = join(directory, fileOfStack(unknown));
    throw new Error(since === undefined ? `${file} does not exist.` : `${file} did not change since ${since}.`);
  }
  return stacks.length === 0 ? found : found.filter(({ stack }) => stacks.includes(stack));
}

const targetOfFile = (file: string, text: string): Target => ({
  stack: stackOfFile(file) ?? file,
  file,
  text,
  removal: false,
  moved: [],
});

const byName = (targets: readonly Target[]) => targets.toSorted((a, b) => (a.stack < b.stack ? -1 : 1));

/** Returns `{environment}/{slug}` of each client; none if the file is invalid. */
function tenantsOf(file: string, text: string): string[] {
  try {
    const { config } = readLoosely(file, text);
    const found = clients.parse(config);
    return found["tenantry:clients"].map(({ slug }) => `${found["tenantry:environment"]}/${slug}`);
  } catch {
    return [];
  }
}
