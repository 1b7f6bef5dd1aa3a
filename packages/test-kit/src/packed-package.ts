import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";

const ROOT = join(import.meta.dirname, "../../..");
const manifest = z.object({ name: z.string(), dependencies: z.record(z.string(), z.string()) });

/** Packs a folder, such as `packages/edge`. @param out folder of the tarball */
export const pack = (folder: string, out: string): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, ["local/tools/pack.mjs", folder, out], { cwd: ROOT, encoding: "utf8" });

export interface PackedPackage {
  /** Folder of the project. */
  project: string;
  /** Folder of the package in it. */
  installed: string;
  /** Links a package of the repository into the project. */
  link(name: string): void;
  remove(): void;
}

/**
 * Installs a package in an empty project, as packed by `local/tools/pack.mjs`. Links its npm dependencies to those of the repository.
 *
 * @throws Error with the output of the packer when it fails
 */
export function installPacked(folder: string): PackedPackage {
  const project = mkdtempSync(join(tmpdir(), "package-"));
  const link = (name: string) => {
    const path = join(project, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), path);
  };
  const packed = pack(folder, project);
  if (packed.status !== 0) throw new Error(packed.stderr);
  const { name, dependencies } = manifest.parse(
    JSON.parse(execFileSync("tar", ["-xzOf", packed.stdout.trim(), "package/package.json"], { encoding: "utf8" })),
  );
  const installed = join(project, "node_modules", name);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", packed.stdout.trim(), "-C", installed, "--strip-components=1"]);
  for (const dependency of Object.keys(dependencies)) link(dependency);
  return { project, installed, link, remove: () => rmSync(project, { recursive: true, force: true }) };
}

export const rootManifest = (): z.infer<typeof manifest> =>
  manifest.parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));
