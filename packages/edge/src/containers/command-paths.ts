import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, relative } from "node:path";
import * as z from "zod";

const isWithin = (path: string, directory: string): boolean => !/^\.\.(\/|$)/.test(relative(directory, path));

function findProgram(program: string): string | undefined {
  if (program === "") return undefined;
  const candidates = isAbsolute(program)
    ? [program]
    : (process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, program));
  return candidates.find((path) => existsSync(path));
}

/**
 * Returns the package of a file, as Node.js finds it, with the packages beside it when it is in `node_modules`, which may be its
 * dependencies. Else returns the directory of the file.
 *
 * @param mayShow whether a container may see a whole directory
 */
function findPackage(file: string, mayShow: (directory: string) => boolean): string {
  const own = dirname(file);
  const [installed] = /^.*?\/node_modules(?=\/)/.exec(own) ?? [];
  if (installed !== undefined && mayShow(installed)) return installed;
  for (let directory = own; mayShow(directory); directory = dirname(directory))
    if (existsSync(join(directory, "package.json"))) return directory;
  return own;
}

interface Surroundings {
  /** Directory of which a container sees its own part only. */
  hidden: string;
  /** Folder of the image's scripts. Containers see no more of its package. */
  scripts: string;
}

/**
 * Returns the directories that a command needs: the installation of its program, and the packages of the files that it names. Never the whole
 * machine, the user's home, a parent of `hidden`, or the programs of the system, which are visible anyway.
 */
export function commandPaths(command: readonly string[], { hidden, scripts }: Surroundings): string[] {
  const excluded = [homedir(), hidden].filter(existsSync).map((path) => realpathSync(path));
  const mayShow = (directory: string) => !excluded.some((path) => isWithin(path, directory));
  const image = realpathSync(scripts);
  const [program = ""] = command;
  const found = findProgram(program);
  // Packages are beside the folder of their programs, as in `prefix/bin` and `prefix/lib`.
  const prefix = found === undefined ? [] : [dirname(dirname(realpathSync(found)))].filter(mayShow);
  const installed = found === undefined ? [] : [dirname(found), ...prefix];
  const files = command.filter((part) => isAbsolute(part) && existsSync(part)).map((part) => realpathSync(part));
  const paths = [
    dirname(process.execPath),
    ...installed,
    ...files.map((file) => (isWithin(file, image) ? image : findPackage(file, mayShow))),
  ];
  const real = new Set(paths.map((path) => realpathSync(path)));
  return [...real].filter(
    (path) => !isWithin("/usr", path) && !/^\/(usr|bin|sbin|lib\w*)(\/|$)/.test(path) && !isWithin(hidden, path),
  );
}

/** Parses the command in a variable. Ignores an invalid one, which the program that reads it reports. */
export function parseCommand(variable = "[]"): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(variable));
  } catch {
    return [];
  }
}
