/**
 * Installs the Pulumi engine at `$PULUMI_HOME/versions/{version}/bin/pulumi`, where the npm wrapper and the Automation API expect it:
 * the vendor's download, or else a build from Go modules.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./command.mjs";
import { changedSources } from "./engine-sources.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export function engineVersion() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies.pulumi;
}

/** The engine itself takes the home from the system's user entry, which may differ from `HOME`. */
export function engineHome() {
  return process.env.PULUMI_HOME || join(homedir(), ".pulumi");
}

export function engineDirectory() {
  return join(engineHome(), "versions", engineVersion(), "bin");
}

/**
 * Installs the engine if it is missing. A build does not wait for the packages; a download needs the vendor's installer among them.
 *
 * @param {Promise<void>} packages settles once the packages are installed
 * @throws Error with the causes when download and build fail
 */
export async function ensureEngine(packages) {
  const directory = engineDirectory();
  if (existsSync(join(directory, "pulumi")) && existsSync(join(directory, "pulumi-language-nodejs"))) return;
  const faults = [];
  for (const [name, get] of [
    ["download", () => download(directory, packages)],
    ["build", () => build(directory)],
  ]) {
    try {
      await get();
      return;
    } catch (error) {
      faults.push(`  ${name}: ${error.message}`);
    }
  }
  throw new Error(
    `Failed to install the Pulumi engine ${engineVersion()}:\n${faults.join("\n")}\n` +
      "Allow the download from the vendor, or install Go 1.24 or later, and run this again.",
  );
}

async function download(directory, packages) {
  const reachable = await fetch("https://get.pulumi.com/install.sh", {
    method: "HEAD",
    signal: AbortSignal.timeout(5000),
  })
    .then((response) => response.ok)
    .catch(() => false);
  if (!reachable) throw new Error("failed to reach the vendor's installer");
  await packages;
  const code = await run("node", [join(root, "node_modules", "pulumi", "run.js"), "version"]);
  if (code !== 0 || !existsSync(join(directory, "pulumi"))) throw new Error("the vendor's installer failed");
}

async function build(directory) {
  if ((await run("go", ["version"])) !== 0) throw new Error("no Go toolchain on the PATH");
  mkdirSync(directory, { recursive: true });
  const version = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
  const sources = mkdtempSync(join(tmpdir(), "tenantry-engine-"));
  try {
    await compile("engine", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", join(directory, "pulumi"), [
      ...changedSources(join(root, "local/tools/engine"), sources),
      "-ldflags",
      `-s -w -X ${version}=v${engineVersion()}`,
    ]);
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
  await compile(
    "language-host",
    "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    join(directory, "pulumi-language-nodejs"),
  );
}

/** Builds a command of the Go module `local/tools/{module}`, and renames it when it is complete. */
async function compile(module, command, output, flags = []) {
  if (existsSync(output)) return;
  process.stderr.write(`Building ${output.split("/").at(-1)} from Go modules (one to three minutes, once)…\n`);
  const partial = `${output}.${process.pid}`;
  const code = await run("go", ["build", "-mod=readonly", ...flags, "-o", partial, command], {
    cwd: join(root, "local/tools", module),
    // The compiler's processes are short: without garbage collection they are a fifth faster.
    env: { GOGC: "off", GOMEMLIMIT: "1GiB", ...process.env },
  });
  if (code !== 0) {
    rmSync(partial, { force: true });
    throw new Error(`go build of ${module} failed`);
  }
  renameSync(partial, output);
}
