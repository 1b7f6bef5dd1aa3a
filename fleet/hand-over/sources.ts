/** Which stacks' files declare a tenant: those of tenants, and beside their directory those of platforms. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { platformStacksOf } from "#automation/engine/platform-stacks.ts";
import type { Environment } from "#domain/environment.ts";
import { readLoosely, stackOfFile } from "../files/stack-file.ts";

/** A stack by its file. */
export interface DeclaringStack {
  stack: string;
  /** Path of the file. */
  path: string;
  text: string;
  config: Readonly<Record<string, unknown>>;
  environment: string;
  /** Whether it holds a platform. */
  isPlatform: boolean;
  /** Stacks that may hold its tenants' platform, as the file names them. */
  platformStacks: readonly string[];
  managedBy: string;
  /** Slugs of its clients. */
  slugs: readonly string[];
  /** Whether it declares partners, which stay with it. */
  hasPartners: boolean;
}

const said = z.object({
  "tenantry:environment": z.string().catch("production").default("production"),
  "tenantry:platform": z.unknown().optional(),
  "tenantry:managedBy": z.string().catch("git").default("git"),
  "tenantry:partners": z.array(z.unknown()).catch([]).default([]),
  "tenantry:clients": z
    .array(z.object({ slug: z.string() }))
    .catch([])
    .default([]),
});

/** @throws Error with one sentence for what is no stack's file */
export function readStack(stack: string, path: string): DeclaringStack {
  const text = readFileSync(path, "utf8");
  const { config } = readLoosely(stack, text);
  const found = said.parse(config);
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

/** @param directory of the files of tenants' stacks. Files that cannot be read declare nobody */
export function stacksDeclaring(directory: string, environment: Environment, slug: string): DeclaringStack[] {
  return [dirname(directory), directory].flatMap((place) => {
    if (!existsSync(place)) return [];
    return readdirSync(place)
      .toSorted()
      .flatMap((name) => {
        const stack = stackOfFile(name);
        const read = stack === undefined ? undefined : tryToRead(stack, join(place, name));
        return read?.environment === environment && read.slugs.includes(slug) ? [read] : [];
      });
  });
}

function tryToRead(stack: string, path: string): DeclaringStack | undefined {
  try {
    return readStack(stack, path);
  } catch {
    return undefined;
  }
}
