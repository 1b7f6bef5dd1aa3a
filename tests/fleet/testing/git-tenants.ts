/** A Git repository of stack files, and commands that run in it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse, stringify } from "yaml";
import { scratchRepository } from "#fleet/testing/repository.ts";
import type { Edge } from "#local/edge.ts";
import { pluginPaths } from "#local/providers/plugin-paths.ts";
import { pulumi, ROOT } from "../../testing/engine.ts";
import { clientSettings } from "../../testing/platform.ts";
import { runFleet } from "./fleet-run.ts";

export interface GitTenants {
  /** Writes the stack file `prod-SLUG`. */
  declare: (slug: string) => void;
  withdraw: (slug: string) => void;
  /** @returns the commit */
  commit: () => string;
  /** Runs `npm run fleet -- up`, which must succeed. */
  up: (args?: readonly string[], variables?: NodeJS.ProcessEnv) => Promise<void>;
  /** Runs `npx pulumi -C tenants`, which must succeed. */
  pulumi: (...args: string[]) => Promise<void>;
}

/** Removed with the test. */
export function gitTenants(edge: Edge): GitTenants {
  const repository = scratchRepository();
  const { directory } = repository;
  const project = parse(readFileSync(join(ROOT, "tenants/Pulumi.yaml"), "utf8"));
  const plugins = { providers: pluginPaths };
  writeFileSync(join(directory, "Pulumi.yaml"), stringify({ ...project, main: ROOT, plugins }));
  return {
    declare(slug) {
      const config = {
        "tenantry:platformStack": "organization/tenantry/whole",
        "tenantry:clients": clientSettings([{ slug }]),
      };
      repository.write(`prod-${slug}`, stringify({ config }));
    },
    withdraw: (slug) => repository.remove(`prod-${slug}`),
    commit: () => repository.commit(),
    async up(args = [], variables = {}) {
      const run = await runFleet(edge, ["up", ...args, "--tenants", directory], variables);
      expect(run, run.output + run.progress).toMatchObject({ code: 0 });
    },
    async pulumi(...args) {
      const run = await pulumi(edge, directory, args);
      expect(run, run.output).toMatchObject({ code: 0 });
    },
  };
}
