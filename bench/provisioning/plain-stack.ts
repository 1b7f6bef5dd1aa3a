/** The engine's own time: a tenant's resources, declared by a minimal program (`plain/`) on a copy of its state. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { encryptionOf } from "#automation/engine/project.ts";
import { PROJECT } from "#automation/engine/project-name.ts";
import { ScratchBackend } from "#automation/engine/state/scratch-backend.ts";
import { measureTime } from "../measure.ts";
import { type Fleet, PLATFORM, ROOT, stackOf } from "./fleet.ts";
import { plainResources } from "./plain/resources.ts";

const PROGRAM = join(import.meta.dirname, "plain/index.ts");
const MAX_OUTPUT = 1 << 26;
const run = promisify(execFile);

interface PlainStack {
  resources: number;
  /** @returns milliseconds @throws Error when the preview changes another number of resources */
  preview(): Promise<number>;
  close(): void;
}

const exported = z.object({ deployment: z.object({ resources: z.unknown() }) });
const previewed = z.object({ changeSummary: z.record(z.string(), z.number()) });

/** Creates a project of the minimal program. @param file content of the stack file */
function createProject(stack: string, file: object): string {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-plain-"));
  const definition = {
    name: PROJECT,
    main: PROGRAM,
    runtime: { name: "nodejs", options: { typescript: false } },
    plugins: { providers: [{ name: PROJECT, path: join(ROOT, "stack/provider") }] },
  };
  // YAML includes JSON.
  writeFileSync(join(directory, "Pulumi.yaml"), JSON.stringify(definition));
  writeFileSync(join(directory, `Pulumi.${stack}.yaml`), JSON.stringify(file));
  return directory;
}

export async function resourcesOf({ variables }: Fleet, slug: string): Promise<unknown> {
  const cwd = createProject(stackOf(slug), {});
  try {
    const args = ["stack", "export", "--show-secrets", "--stack", stackOf(slug)];
    const { stdout } = await run("pulumi", args, { cwd, env: variables, maxBuffer: MAX_OUTPUT });
    return exported.parse(JSON.parse(stdout)).deployment.resources;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** @param wanted resources from {@link resourcesOf} @param changed expected number of changes in a preview */
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
  const cwd = createProject(stack, encryptionOf(own.deployment));
  const resources = plainResources(wanted);
  const list = join(cwd, "resources.json");
  writeFileSync(list, JSON.stringify(resources), { mode: 0o600 });
  const env = { ...backend.variables, BENCH_RESOURCES: list };
  return {
    resources: resources.length,
    preview: async () => {
      let stdout = "";
      const args = ["preview", "--json", "--non-interactive", "--stack", stack];
      const took = await measureTime(async () => {
        ({ stdout } = await run("pulumi", args, { cwd, env, maxBuffer: MAX_OUTPUT }));
      });
      const { same, read, ...others } = previewed.parse(JSON.parse(stdout)).changeSummary;
      if (others.update !== changed || Object.keys(others).length !== 1) {
        throw new Error(`Expected ${changed} updates in the preview: ${JSON.stringify({ same, read, ...others })}`);
      }
      return took;
    },
    close: () => {
      rmSync(cwd, { recursive: true });
      backend.remove();
    },
  };
}
