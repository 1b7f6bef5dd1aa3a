/** Runs the projects of `docs/examples/` by the engine's command line, with secrets of their own. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace, type PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { pulumiCommand } from "@tenantry/automation-api";
import { parse, stringify } from "yaml";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { engineEnvironment } from "#local/start/project.ts";
import { type CliRun, ROOT, startPulumi } from "./engine.ts";
import { providersPort } from "./platform.ts";

const project = z.looseObject({ name: z.string(), main: z.string() });

/** Differs from the platform's. */
const OWN_SECRETS = { PULUMI_CONFIG_PASSPHRASE: "of-another-team" };

/** Runs the engine's command line on a stack of an example outside the checkout. */
export async function exampleStack(
  edge: Edge,
  example: string,
  settings: Record<string, unknown>,
): Promise<(...command: string[]) => Promise<CliRun>> {
  const source = join(ROOT, "docs/examples", example);
  const definition = project.parse(parse(readFileSync(join(source, "Pulumi.yaml"), "utf8")));
  const directory = join(edge.directory, example);
  mkdirSync(directory);
  writeFileSync(join(directory, "Pulumi.yaml"), stringify({ ...definition, main: join(source, definition.main) }));
  const config = Object.entries(settings).map(([name, value]) => [`${definition.name}:${name}`, value]);
  writeFileSync(join(directory, "Pulumi.example.yaml"), stringify({ config: Object.fromEntries(config) }));
  const run = (...command: string[]) => startPulumi(edge, directory, command, OWN_SECRETS).ended;
  const init = await run("stack", "init", "example");
  if (init.code !== 0) throw new Error(init.output);
  return (...command) => run(...command, "-s", "example");
}

/** Previews a program of another project, with secrets of its own. */
export async function previewElsewhere(edge: Edge, program: PulumiFn): Promise<void> {
  const stack = await LocalWorkspace.createStack(
    { stackName: "elsewhere", projectName: "elsewhere", program },
    {
      pulumiCommand: await pulumiCommand(),
      envVars: { ...engineEnvironment(edge.directory, edge, "production", providersPort(edge)), ...OWN_SECRETS },
    },
  );
  await stack.preview();
}
