import { mkdtemp, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { LocalWorkspace, type ProjectSettings, type PulumiFn, type Stack } from "@pulumi/pulumi/automation/index.js";
import { pulumiCommand, quickStack } from "@tenantry/automation-api";

/** The version of the engine that tests run. */
export const ENGINE_VERSION = "3.256.0";

/** A stack of the real engine, with its state in a temporary folder. */
export interface TestStack {
  stack: Stack;
  /** Sets the program of the next operations. */
  program(program: PulumiFn): void;
  /** Reads the stored state as text. */
  state(): Promise<string>;
  /** Removes the folder, but not the deployed resources. */
  dispose(): Promise<void>;
}

/**
 * Opens an empty stack.
 *
 * @param env environment variables of its runs
 * @param plugins folders of the executables of providers, by their names
 */
export async function testStack(env: Record<string, string>, plugins: Record<string, string>): Promise<TestStack> {
  const directory = await mkdtemp(join(tmpdir(), "test-stack-"));
  // The engine knows `plugins`; the SDK's type does not.
  const projectSettings: ProjectSettings & { plugins: object } = {
    name: "providers-test",
    runtime: "nodejs",
    backend: { url: `file://${directory}` },
    plugins: { providers: Object.entries(plugins).map(([name, path]) => ({ name, path })) },
  };
  // Global set-up starts a stand-in for Vault.
  const { SECRETS_PROVIDER: secretsProvider } = process.env;
  const stack = await LocalWorkspace.createStack(
    { stackName: "test", projectName: "providers-test", program: async () => {} },
    {
      pulumiCommand: await pulumiCommand(join(homedir(), ".pulumi/versions", ENGINE_VERSION)),
      workDir: directory,
      ...(secretsProvider && { secretsProvider }),
      projectSettings,
      envVars: {
        PULUMI_CONFIG_PASSPHRASE: "test",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        ...env,
      },
    },
  );
  return {
    stack: quickStack(stack),
    program: (program) => {
      stack.workspace.program = program;
    },
    state: () => readFile(join(directory, ".pulumi/stacks/providers-test/test.json"), "utf8"),
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Returns the number of operations of a run, such as `{ create: 2, same: 1 }`. */
export function changed(result: { summary: { resourceChanges?: Record<string, number> } }): Record<string, number> {
  return result.summary.resourceChanges ?? {};
}
