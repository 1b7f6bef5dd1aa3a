/** Reads a package's `package.json` and creates the published one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const paths = z.record(z.string(), z.string());

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  exports: paths.default({}),
  bin: paths.default({}),
  files: z.array(z.string()).default([]),
  dependencies: paths.default({}),
  devDependencies: paths.default({}),
});

const REPLACED = new Set([
  ...["private", "imports", "scripts", "devDependencies", "workspaces"],
  ...["exports", "bin", "files", "dependencies"],
]);

/** @throws Error naming the invalid fields */
export function readManifest(folder) {
  const file = join(folder, "package.json");
  const parsed = manifestSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is invalid:\n${z.prettifyError(parsed.error)}`);
}

const isSource = (path) => /\.m?ts$/.test(path);
const compiled = (path, extension) => path.replace(/^(\.\/)?src\//, "./dist/").replace(/\.m?ts$/, extension);

/** Returns a package's entry points. An export with `*` is for the repository only. @throws Error when there is none */
export function entryPoints(manifest) {
  const exports = Object.entries(manifest.exports).filter(([name]) => !name.includes("*"));
  const bin = Object.entries(manifest.bin);
  const all = [...exports, ...bin].map(([, path]) => path);
  if (all.length === 0) {
    throw new Error(`${manifest.name} has no entry point. Add an export without '*', or a bin, to its package.json.`);
  }
  return { exports, bin, sources: all.filter(isSource), copied: all.filter((path) => !isSource(path)) };
}

/** Returns the repository's versions of npm packages, with the types of those in `declared`. @throws Error for an unlisted package */
export function versions(repository, imported, declared) {
  const listed = { ...repository.devDependencies, ...repository.dependencies };
  const types = [...declared]
    .map((name) => `@types/${name.replace(/^@/, "").replace("/", "__")}`)
    .filter((name) => name in listed);
  const names = [...new Set([...imported, ...declared, ...types])].toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const version = listed[name];
      if (version === undefined) throw new Error(`The package.json of the repository does not list ${name}. Add it.`);
      return [name, version];
    }),
  );
}

export function published(manifest, dependencies) {
  const { exports, bin, copied } = entryPoints(manifest);
  const retained = Object.entries(manifest).filter(([name]) => !REPLACED.has(name));
  const all = { ...dependencies, ...manifest.dependencies };
  const types = (path) => ({ types: compiled(path, ".d.ts"), default: compiled(path, ".js") });
  return {
    ...Object.fromEntries(retained),
    exports: Object.fromEntries(exports.map(([name, path]) => [name, isSource(path) ? types(path) : path])),
    ...(bin.length > 0 && { bin: Object.fromEntries(bin.map(([name, path]) => [name, compiled(path, ".js")])) }),
    files: ["dist", ...manifest.files, ...copied],
    dependencies: Object.fromEntries(Object.entries(all).toSorted(([left], [right]) => (left < right ? -1 : 1))),
  };
}
