/**
 * `node local/tools/pack.mjs packages/NAME OUT` packs a workspace package for npm into the folder OUT and prints the tarball's path.
 *
 * Node.js does not run TypeScript in `node_modules`, so the tarball has JavaScript with declarations. It includes imported modules of
 * other workspace packages. Imported npm packages become dependencies, with the repository's versions.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { compile } from "./pack/compile.mjs";
import { entryPoints, published, readManifest, versions } from "./pack/manifest.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const packed = z.tuple([z.object({ filename: z.string() })]);

function copy(from, to, isWanted = () => true) {
  const filter = (path) => basename(path) !== "node_modules" && (statSync(path).isDirectory() || isWanted(path));
  cpSync(from, to, { recursive: true, filter });
}

function stage(folder, staging) {
  const manifest = readManifest(folder);
  const { sources, copied } = entryPoints(manifest);
  const entries = sources.map((path) => join(folder, path));
  const { imported, declared, folders } = compile({ root, folder, entries, output: join(staging, "dist") });
  const dependencies = versions(readManifest(root), imported, declared);
  writeFileSync(join(staging, "package.json"), `${JSON.stringify(published(manifest, dependencies), null, 2)}\n`);
  for (const [from, to] of folders) {
    // Scripts and data that modules read at run time.
    copy(from, to, (path) => !/\.m?ts$/.test(path) && !relative(from, path).split(sep).includes("testing"));
  }
  for (const path of [...manifest.files, ...copied]) {
    if (!existsSync(join(folder, path))) throw new Error(`its package.json lists '${path}', which does not exist.`);
    copy(join(folder, path), join(staging, path));
  }
  copy(join(root, "LICENSE"), join(staging, "LICENSE"));
}

function pack(folder, out) {
  const staging = mkdtempSync(join(tmpdir(), "pack-"));
  try {
    stage(folder, staging);
    const parameters = ["pack", "--ignore-scripts", "--json", "--pack-destination", out];
    const printed = execFileSync("npm", parameters, {
      cwd: staging,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      shell: process.platform === "win32",
    });
    return join(out, packed.parse(JSON.parse(printed))[0].filename);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

const [folder, out, ...rest] = process.argv.slice(2);
if (folder === undefined || out === undefined || rest.length > 0) {
  process.stderr.write("Usage: node local/tools/pack.mjs PACKAGE OUT\n");
  process.exit(2);
}
try {
  mkdirSync(out, { recursive: true });
  process.stdout.write(`${pack(resolve(folder), resolve(out))}\n`);
} catch (error) {
  process.stderr.write(`Failed to pack ${folder}: ${error.message}\n`);
  process.exit(1);
}
