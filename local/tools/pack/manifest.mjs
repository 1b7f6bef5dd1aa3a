/** What `package.json` says of a package in the repository, and what that of the published package says. */
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

/** Fields that are for the repository alone, and fields that are made anew. */
const REPLACED = new Set([
  ...["private", "imports", "scripts", "devDependencies", "workspaces"],
  ...["exports", "bin", "files", "dependencies"],
]);

/**
 * @param {string} folder
 * @returns {z.infer<typeof manifestSchema>}
 * @throws Error that names the fields at fault
 */
export function readManifest(folder) {
  const file = join(folder, "package.json");
  const parsed = manifestSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} cannot be packed:\n${z.prettifyError(parsed.error)}`);
}

const isSource = (path) => /\.m?ts$/.test(path);
/** @param {string} path such as `./src/index.ts` @param {string} extension such as `.js` */
const compiled = (path, extension) => path.replace(/^(\.\/)?src\//, "./dist/").replace(/\.m?ts$/, extension);

/**
 * The entry points of a package. An export with a `*` opens all modules to the repository and is not published.
 *
 * @param {z.infer<typeof manifestSchema>} manifest
 * @returns {{ exports: [string, string][], bin: [string, string][], sources: string[], copied: string[] }} by name, with the paths of
 *   those to compile and of those to copy
 * @throws Error when there is none
 */
export function entryPoints(manifest) {
  const exports = Object.entries(manifest.exports).filter(([name]) => !name.includes("*"));
  const bin = Object.entries(manifest.bin);
  const all = [...exports, ...bin].map(([, path]) => path);
  if (all.length === 0) {
    throw new Error(`${manifest.name} has no entry point: add an export without '*', or a bin, to its package.json.`);
  }
  return { exports, bin, sources: all.filter(isSource), copied: all.filter((path) => !isSource(path)) };
}

/**
 * The versions of npm packages, as the repository has them, with the types of those that `declared` names.
 *
 * @param {z.infer<typeof manifestSchema>} repository
 * @param {ReadonlySet<string>} imported
 * @param {ReadonlySet<string>} declared
 * @throws Error for a package that the repository does not list
 */
export function versions(repository, imported, declared) {
  const listed = { ...repository.devDependencies, ...repository.dependencies };
  const types = [...declared]
    .map((name) => `@types/${name.replace(/^@/, "").replace("/", "__")}`)
    .filter((name) => name in listed);
  const names = [...new Set([...imported, ...declared, ...types])].toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const version = listed[name];
      if (version === undefined) throw new Error(`The package.json of the repository does not list ${name}; add it.`);
      return [name, version];
    }),
  );
}

/**
 * @param {z.infer<typeof manifestSchema>} manifest
 * @param {Record<string, string>} dependencies
 * @returns {object} the published `package.json`
 */
export function published(manifest, dependencies) {
  const { exports, bin, copied } = entryPoints(manifest);
  const kept = Object.entries(manifest).filter(([name]) => !REPLACED.has(name));
  const all = { ...dependencies, ...manifest.dependencies };
  const types = (path) => ({ types: compiled(path, ".d.ts"), default: compiled(path, ".js") });
  return {
    ...Object.fromEntries(kept),
    exports: Object.fromEntries(exports.map(([name, path]) => [name, isSource(path) ? types(path) : path])),
    ...(bin.length > 0 && { bin: Object.fromEntries(bin.map(([name, path]) => [name, compiled(path, ".js")])) }),
    files: ["dist", ...manifest.files, ...copied],
    dependencies: Object.fromEntries(Object.entries(all).toSorted(([left], [right]) => (left < right ? -1 : 1))),
  };
}
