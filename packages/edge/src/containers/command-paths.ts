import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, relative } from "node:path";

const within = (path: string, directory: string): boolean => !/^\.\.(\/|$)/.test(relative(directory, path));

/** Where a program of this name lies; `undefined` where there is none. */
function find(program: string): string | undefined {
  if (program === "") return undefined;
  const candidates = isAbsolute(program)
    ? [program]
    : (process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, program));
  return candidates.find((path) => existsSync(path));
}

/**
 * The package that a file belongs to, as Node.js looks for it, with those beside it where it was installed among others, as they
 * may be its dependencies; otherwise only its directory.
 *
 * @param mayShow whether a directory may be seen whole
 */
function packageOf(file: string, mayShow: (directory: string) => boolean): string {
  const own = dirname(file);
  const [installed] = /^.*?\/node_modules(?=\/)/.exec(own) ?? [];
  if (installed !== undefined && mayShow(installed)) return installed;
  for (let directory = own; mayShow(directory); directory = dirname(directory))
    if (existsSync(join(directory, "package.json"))) return directory;
  return own;
}

export interface Surroundings {
  /** Of this directory no container may see more than its own part. */
  hidden: string;
  /** The image's scripts; of the package that they are kept in, no container sees more. */
  scripts: string;
}

/**
 * The directories that a command must see to run: where its program was installed, and the packages of the files that it
 * names, with their `node_modules`. Never the whole machine, the user's home, or what holds the `hidden` directory; nor the
 * system's programs, which are seen anyway.
 */
export function commandPaths(command: readonly string[], { hidden, scripts }: Surroundings): string[] {
  const barred = [homedir(), hidden].filter(existsSync).map((path) => realpathSync(path));
  const mayShow = (directory: string) => !barred.some((path) => within(path, directory));
  const image = realpathSync(scripts);
  const [program = ""] = command;
  const found = find(program);
  // Packages lie beside the directory of their programs, as in `prefix/bin` and `prefix/lib`.
  const prefix = found === undefined ? [] : [dirname(dirname(realpathSync(found)))].filter(mayShow);
  const installed = found === undefined ? [] : [dirname(found), ...prefix];
  const files = command.filter((part) => isAbsolute(part) && existsSync(part)).map((part) => realpathSync(part));
  const paths = [
    dirname(process.execPath),
    ...installed,
    ...files.map((file) => (within(file, image) ? image : packageOf(file, mayShow))),
  ];
  const real = new Set(paths.map((path) => realpathSync(path)));
  return [...real].filter(
    (path) => !within("/usr", path) && !/^\/(usr|bin|sbin|lib\w*)(\/|$)/.test(path) && !within(hidden, path),
  );
}
