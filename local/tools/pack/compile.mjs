/** Compiles the modules that a package's entry points reach, those of other workspace packages included, into one folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { references } from "./references.mjs";

/** Folder of the output with the modules of other workspace packages. */
const BUNDLED = "bundled";

/** The compiler's complaint about an import by `#` or by the name of a package. These are rewritten here. */
const NOT_REWRITTEN = 2877;

/**
 * @param {string} root the repository
 * @returns {ts.CompilerOptions} those of the repository, for output
 */
function compilerOptions(root) {
  const file = join(root, "tsconfig.json");
  const { config, error } = ts.readConfigFile(file, ts.sys.readFile);
  if (error !== undefined) throw new Error(messages([error]));
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  const { tsBuildInfoFile: _, ...kept } = options;
  const output = { noEmit: false, incremental: false, declaration: true, outDir: join(root, "dist"), rootDir: root };
  return { ...kept, ...output, rewriteRelativeImportExtensions: true };
}

/** @param {readonly ts.Diagnostic[]} diagnostics */
function messages(diagnostics) {
  return ts.formatDiagnostics(diagnostics, {
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getCanonicalFileName: (name) => name,
    getNewLine: () => "\n",
  });
}

/**
 * @param {string} root the repository
 * @param {ts.CompilerOptions} options
 * @returns the compiler's host, and a function that gives the path of the workspace's module that `specifier` names in the module `from`;
 *   undefined for any other module
 */
function workspaceHost(root, options) {
  const host = ts.createCompilerHost(options, true);
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  const isOwn = (path) => path.startsWith(`${root}/packages/`) && !path.includes("/node_modules/");
  const resolve = (specifier, from) => {
    const mode = ts.ModuleKind.ESNext;
    const found = ts.resolveModuleName(specifier, from, options, host, cache, undefined, mode).resolvedModule;
    return found && isOwn(found.resolvedFileName) ? found.resolvedFileName : undefined;
  };
  // The compiler emits no module that it found below node_modules, where npm links the workspace's packages.
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
 * @param {object} job
 * @param {string} job.root the repository
 * @param {string} job.folder the package
 * @param {readonly string[]} job.entries paths of entry points
 * @param {string} job.output the folder for the modules, which are written below it as they lie below the package's `src`
 * @returns {{ imported: Set<string>, declared: Set<string>, folders: Map<string, string> }} the npm packages that the modules import,
 *   those that the declarations mention, and for each source folder with modules in the output its folder there
 * @throws Error with the compiler's messages
 */
export function compile({ root, folder, entries, output }) {
  const options = compilerOptions(root);
  const { host, resolve } = workspaceHost(root, options);
  const workspace = join(root, "packages");

  const folders = new Map();
  /** Where the module `path` lies below `output`, with the extension of its source. */
  const placed = (path) => {
    const [name, source, ...rest] = relative(workspace, path).split("/");
    if (source !== "src") throw new Error(`${path} is outside of its package's src folder; move it there.`);
    const owner = join(workspace, name);
    const place = owner === folder ? "" : join(BUNDLED, name);
    folders.set(join(owner, source), join(output, place));
    return join(place, ...rest);
  };

  const [imported, declared] = [new Set(), new Set()];
  /** `text` of an output with the specifiers that reach the other outputs. */
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

/** The program of `entries` and of the modules that the workspace's modules name by URL. */
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
