/** What the engine itself takes: a tenant's resources declared by the least program (`plain/`), on a copy of its state. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { encryptionOf } from "#automation/engine/project.ts";
import { PROJECT } from "#automation/engine/project-name.ts";
import { ScratchBackend } from "#automation/engine/state/scratch-backend.ts";
import { type Fleet, PLATFORM, ROOT, stackOf } from "./fleet.ts";
import { plainResources } from "./plain/resources.ts";

const PROGRAM = join(import.meta.dirname, "plain/index.ts");
const MOST_BYTES = 1 << 26;
const run = promisify(execFile);

export interface PlainStack {
  /** Resources that are declared. */
  resources: number;
  /** Previews it. @returns milliseconds @throws Error where it does not change as many resources as it should */
  preview(): Promise<number>;
  close(): void;
}

const exported = z.object({ deployment: z.object({ resources: z.unknown() }) });
const previewed = z.object({ changeSummary: z.record(z.string(), z.number()) });

/** A project whose program is the least one. @param file what the stack's own file says */
function project(stack: string, file: object): string {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-plain-"));
  const definition = {
    name: PROJECT,
    main: PROGRAM,
    runtime: { name: "nodejs", options: { typescript: false } },
    plugins: { providers: [{ name: PROJECT, path: join(ROOT, "stack/provider") }] },
  };
  // JSON is YAML.
  writeFileSync(join(directory, "Pulumi.yaml"), JSON.stringify(definition));
  writeFileSync(join(directory, `Pulumi.${stack}.yaml`), JSON.stringify(file));
  return directory;
}

/** A tenant's resources as its state has them now, secrets too. */
export async function resourcesOf({ variables }: Fleet, slug: string): Promise<unknown> {
  const cwd = project(stackOf(slug), {});
  try {
    const args = ["stack", "export", "--show-secrets", "--stack", stackOf(slug)];
    const { stdout } = await run("pulumi", args, { cwd, env: variables, maxBuffer: MOST_BYTES });
    return exported.parse(JSON.parse(stdout)).deployment.resources;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/**
 * @param wanted resources whose inputs are declared, as {@link resourcesOf} gives them
 * @param changed those of them that a preview must find changed
 */
export async function openPlainStack(
  fleet: Fleet,
  slug: string,
  wanted: unknown,
  changed: number,
): Promise<PlainStack> {
  const stack = stackOf(slug);
  const backend = new ScratchBackend(fleet.variables);
  const own = await fleet.stateOf(stack);
  backend.hold(stack, own);
  backend.hold(PLATFORM, await fleet.stateOf(PLATFORM), "outputs");
  const cwd = project(stack, encryptionOf(own.deployment));
  const resources = plainResources(wanted);
  const list = join(cwd, "resources.json");
  writeFileSync(list, JSON.stringify(resources), { mode: 0o600 });
  const env = { ...backend.variables, BENCH_RESOURCES: list };
  return {
    resources: resources.length,
    preview: async () => {
      const began = performance.now();
      const args = ["preview", "--json", "--non-interactive", "--stack", stack];
      const { stdout } = await run("pulumi", args, { cwd, env, maxBuffer: MOST_BYTES });
      const took = performance.now() - began;
      const { same, read, ...others } = previewed.parse(JSON.parse(stdout)).changeSummary;
      if (others.update !== changed || Object.keys(others).length !== 1) {
        throw new Error(
          `The plain stack was to change ${changed} resources: ${JSON.stringify({ same, read, ...others })}`,
        );
      }
      return took;
    },
    close: () => {
      rmSync(cwd, { recursive: true });
      backend.remove();
    },
  };
}
