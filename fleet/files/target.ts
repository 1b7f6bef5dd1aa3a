/** The stacks that a run is about, each by its file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { changedFiles } from "./changed-files.ts";
import { fileOfStack, readLoosely, stackOfFile } from "./stack-file.ts";

export interface Target {
  stack: string;
  /** Name of the file. */
  file: string;
  /** What is in it; of a file that was deleted, what was. */
  text: string;
  /** Whether the file was deleted, so that the stack is to go. */
  removal: boolean;
  /** Tenants of a deleted file that another file declares now, with its name: `acme (Pulumi.prod-new.yaml)`. */
  moved: readonly string[];
}

export interface TargetArgs {
  /** Of the stacks' files. */
  directory: string;
  /** Files that changed since there alone, and those that were deleted. Default: all that there are. */
  since: string | undefined;
  /** These alone. Default: all. */
  stacks: readonly string[];
}

const clients = z.object({
  "tenantry:environment": z.string().catch("production").default("production"),
  "tenantry:clients": z
    .array(z.object({ slug: z.string() }))
    .catch([])
    .default([]),
});

/** By their names, those that are to go last. @throws Error with one sentence */
export async function findTargets({ directory, since, stacks }: TargetArgs): Promise<Target[]> {
  const files = readdirSync(directory).filter((name) => stackOfFile(name) !== undefined);
  const textOf = (name: string) => readFileSync(join(directory, name), "utf8");
  const changed = since === undefined ? undefined : await changedFiles(directory, since);
  const declared = new Map(files.flatMap((file) => tenantsOf(file, textOf(file)).map((tenant) => [tenant, file])));
  const present = files
    .filter((name) => changed === undefined || changed.present.includes(name))
    .map((file) => target(file, textOf(file)));
  const deleted = [...(changed?.deleted ?? [])].map(([file, text]) => {
    const moved = tenantsOf(file, text).flatMap((tenant) => {
      const other = declared.get(tenant);
      return other === undefined ? [] : [`${tenant.split("/").at(-1)} (${other})`];
    });
    return { ...target(file, text), removal: true, moved };
  });
  const found = [...byName(present), ...byName(deleted)];
  const unknown = stacks.find((name) => !found.some(({ stack }) => stack === name));
  if (unknown !== undefined) {
    const what = since === undefined ? "There is no" : `Nothing changed since ${since} in`;
    throw new Error(`${what} ${join(directory, fileOfStack(unknown))}.`);
  }
  return stacks.length === 0 ? found : found.filter(({ stack }) => stacks.includes(stack));
}

const target = (file: string, text: string): Target => ({
  stack: stackOfFile(file) ?? file,
  file,
  text,
  removal: false,
  moved: [],
});

const byName = (targets: readonly Target[]) => targets.toSorted((a, b) => (a.stack < b.stack ? -1 : 1));

/** `{environment}/{slug}` of each client; none of a file that cannot be read. */
function tenantsOf(file: string, text: string): string[] {
  try {
    const { config } = readLoosely(file, text);
    const found = clients.parse(config);
    return found["tenantry:clients"].map(({ slug }) => `${found["tenantry:environment"]}/${slug}`);
  } catch {
    return [];
  }
}
