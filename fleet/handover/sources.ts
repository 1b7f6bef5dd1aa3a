/** Finds the stacks' files that declare a tenant: files of tenants, and of platforms in the directory above. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { platformStacksOf } from "#automation/engine/platform-stacks.ts";
import type { Environment } from "#domain/environment.ts";
import { readLoosely, stackOfFile } from "../files/stack-file.ts";

export interface DeclaringStack {
  stack: string;
  path: string;
  text: string;
  config: Readonly<Record<string, unknown>>;
  environment: string;
  isPlatform: boolean;
  /** Stacks of the platforms that its tenants may belong to. */
  platformStacks: readonly string[];
  managedBy: string;
  slugs: readonly string[];
  /** Whether it declares partners, which stay in it. */
  hasPartners: boolean;
}

const settings = z.object({
  "tenantry:environment": z.string().catch("production").default("production"),
  "tenantry:platform": z.unknown().optional(),
  "tenantry:managedBy": z.string().catch("git").default("git"),
  "tenantry:partners": z.array(z.unknown()).catch([]).default([]),
  "tenantry:clients": z
    .array(z.object({ slug: z.string() }))
    .catch([])
    .default([]),
});

/** @throws Error if it is not a stack's file */
export function readStack(stack: string, path: string): DeclaringStack {
  const text = readFileSync(path, "utf8");
  const { config } = readLoosely(stack, text);
  const found = settings.parse(config);
  return {
    ...{ stack, path, text, config },
    environment: found["tenantry:environment"],
    isPlatform: found["tenantry:platform"] !== undefined,
    platformStacks: platformStacksOf(config),
    managedBy: found["tenantry:managedBy"],
    slugs: found["tenantry:clients"].map(({ slug }) => slug),
    hasPartners: found["tenantry:partners"].length > 0,
  };
}

/** @param directory of the files of tenants' stacks. Ignores files that cannot be parsed */
export function stacksDeclaring(directory: string, environment: Environment, slug: string): DeclaringStack[] {
  return [dirname(directory), directory].flatMap((folder) => {
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .toSorted()
      .flatMap((name) => {
        const stack = stackOfFile(name);
        const read = stack === undefined ? undefined : readStackIfValid(stack, join(folder, name));
        return read?.environment === environment && read.slugs.includes(slug) ? [read] : [];
      });
  });
}

function readStackIfValid(stack: string, path: string): DeclaringStack | undefined {
  try {
    return readStack(stack, path);
  } catch {
    return undefined;
  }
}
