/** Compiles all modules that a package's entry points import, also of other workspace packages, into one folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { references } from "./references.mjs";

const BUNDLED = "bundled";

/** The compiler's error for imports by `#` or package name, which are rewritten here. */
const NOT_REWRITTEN = 2877;

function compilerOptions(root) {
  const file = join(root, "tsconfig.json");
  const { config, error } = ts.readConfigFile(file, ts.sys.readFile);
  if (error !== undefined) throw new Error(messages([error]));
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  const { tsBuildInfoFile: _, ...others } = options;
  const output = { noEmit: false, incremental: false, declaration: true, outDir: join(root, "dist"), rootDir: root };
  return { ...others, ...output, rewriteRelativeImportExtensions: true };
}

function messages(diagnostics) {
  return ts.formatDiagnostics(diagnostics, {
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getCanonicalFileName: (name) => name,
    getNewLine: () => "\n",
  });
}

/** Returns the compiler's host, and a function that resolves a specifier to a workspace module's path, or undefined. */
function workspaceHost(root, options) {
  const host = ts.createCompilerHost(options, true);
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  const isOwn = (path) => path.startsWith(`${root}/packages/`) && !path.includes("/node_modules/");
  const resolve = (specifier, from) => {
    const mode = ts.ModuleKind.ESNext;
    const found = ts.resolveModuleName(specifier, from, options, host, cache, undefined, mode).resolvedModule;
    return found && isOwn(found.resolvedFileName) ? found.resolvedFileName : undefined;
  };
  // The compiler does not emit modules below node_modules, where npm links the workspace's packages.
  host.resolveModuleNameLiterals = (literals, from, redirected, _options, source) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(source, literal, options);
      const found = ts.resolveModuleName(literal.text, from, options, host, cache, redirected, mode);
      const { resolvedModule } = found;
      if (resolvedModule === undefined || !isOwn(resolvedModule.resolvedFileName)) return found;
      return { ...found, resolvedModule: { ...resolvedModule, isExternalLibraryImport: false } };
    });
  return { host, resolve };
}

/**
 * Compiles `entries` of the package in `folder` to `output`, where modules have the same paths as below `src`.
 *
 * @returns {{ imported: Set<string>, declared: Set<string>, folders: Map<string, string> }} npm packages that modules import, npm packages
 *   that declarations mention, and the output folder of each source folder
 * @throws Error with the compiler's messages
 */
export function compile({ root, folder, entries, output }) {
  const options = compilerOptions(root);
  const { host, resolve } = workspaceHost(root, options);
  const workspace = join(root, "packages");

  const folders = new Map();
  /** Maps a source to its path below `output`. */
  const placed = (path) => {
    const [name, source, ...rest] = relative(workspace, path).split("/");
    if (source !== "src") throw new Error(`${path} is outside its package's src folder. Move it there.`);
    const owner = join(workspace, name);
    const place = owner === folder ? "" : join(BUNDLED, name);
    folders.set(join(owner, source), join(output, place));
    return join(place, ...rest);
  };

  const [imported, declared] = [new Set(), new Set()];
  /** Rewrites the specifiers of workspace modules in an output. */
  const linked = (text, file, from) => {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    let linkedText = text;
    for (const { literal, specifier } of references(source).reverse()) {
      const target = resolve(specifier, from);
      if (target !== undefined) {
        const path = relative(dirname(placed(from)), placed(target)).replace(/ts$/, "js");
        const quoted = JSON.stringify(path.startsWith(".") ? path : `./${path}`);
        linkedText = linkedText.slice(0, literal.getStart(source)) + quoted + linkedText.slice(literal.end);
      } else if (/^[.#/]/.test(specifier)) {
        throw new Error(`${from} imports '${specifier}', which is not a module of a workspace package.`);
      } else if (!isBuiltin(specifier)) {
        const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
        (file.endsWith(".d.ts") ? declared : imported).add(name);
      }
    }
    return linkedText;
  };

  const program = programOf(entries, options, host, resolve);
  const emitted = program.emit(undefined, (name, text, _mark, _onError, [source] = []) => {
    const from = source.fileName;
    const extension = /(\.d)?\.m?[jt]s$/.exec(name)?.[0] ?? "";
    const file = join(output, placed(from).replace(/\.m?ts$/, extension));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, linked(text, file, from));
  });
  const all = [...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
  const faults = all.filter(({ code }) => code !== NOT_REWRITTEN);
  if (faults.length > 0) throw new Error(messages(faults));
  return { imported, declared, folders };
}

/** Creates the program of `entries` and of the workspace modules that they reference by URL. */
function programOf(entries, options, host, resolve) {
  const roots = new Set(entries);
  for (;;) {
    const program = ts.createProgram([...roots], options, host);
    const before = roots.size;
    for (const source of program.getSourceFiles()) {
      if (program.isSourceFileFromExternalLibrary(source) || source.isDeclarationFile) continue;
      for (const { literal, specifier } of references(source)) {
        const target = ts.isNewExpression(literal.parent) ? resolve(specifier, source.fileName) : undefined;
        if (target !== undefined && program.getSourceFile(target) === undefined) roots.add(target);
      }
    }
    if (roots.size === before) return program;
  }
}
