/**
 * Modules of the engine that are built with a change: tables that the engine makes whenever it starts, and that few commands need, are made
 * when they are first used. That was 75 of the 113 ms of processor time that each command took before it did anything.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Of two packages with one origin, which estimate how strong a value of `config set` is. They load their tables where they find none. */
const PASSWORD_STRENGTH = {
  "frequency/frequency.go": [["func init() {", "func Load() {"]],
  "matching/matching.go": [
    ["func init() {\n\tloadFrequencyList()\n}\n", ""],
    ["func loadFrequencyList() {\n", "func loadFrequencyList() {\n\tfrequency.Load()\n"],
  ],
};

const CHANGES = {
  "github.com/nbutton23/zxcvbn-go": PASSWORD_STRENGTH,
  "github.com/ccojocar/zxcvbn-go": PASSWORD_STRENGTH,
  // The width of each of a million characters, by the function that is called instead.
  "github.com/mattn/go-runewidth": {
    "runewidth.go": [
      ["\tinitStrictWidthLUT()\n", ""],
      ["int(strictWidthLUT[1][r])", "runeWidthNoLUT(r, true, true)"],
      ["int(strictWidthLUT[0][r])", "runeWidthNoLUT(r, false, true)"],
    ],
  },
};

/**
 * Writes copies of the modules, and a module file that takes them.
 *
 * @param {string} cwd directory of the Go module that is built
 * @param {string} directory empty
 * @returns {string[]} options of the compiler
 * @throws Error when a module cannot be read, or is not as it was
 */
export function changedSources(cwd, directory) {
  let moduleFile = readFileSync(join(cwd, "go.mod"), "utf8");
  const downloaded = spawnSync("go", ["mod", "download", "-json", ...Object.keys(CHANGES)], { cwd, encoding: "utf8" });
  if (downloaded.status !== 0) throw new Error(`go mod download failed: ${downloaded.stderr}`);
  for (const { Path, Dir } of JSON.parse(`[${downloaded.stdout.replaceAll("}\n{", "},{")}]`)) {
    const copy = join(directory, Path.replaceAll("/", "-"));
    cpSync(Dir, copy, { recursive: true });
    // Downloaded modules may not be written.
    for (const entry of [".", ...readdirSync(copy, { recursive: true })]) chmodSync(join(copy, String(entry)), 0o755);
    if (!existsSync(join(copy, "go.mod"))) writeFileSync(join(copy, "go.mod"), `module ${Path}\n`);
    for (const [file, changes] of Object.entries(CHANGES[Path])) {
      let text = readFileSync(join(copy, file), "utf8");
      for (const [before, after] of changes) {
        if (!text.includes(before)) throw new Error(`${Path}/${file} has no ${JSON.stringify(before)}`);
        text = text.replace(before, after);
      }
      writeFileSync(join(copy, file), text);
    }
    moduleFile += `\nreplace ${Path} => ${copy}\n`;
  }
  writeFileSync(join(directory, "go.mod"), moduleFile);
  cpSync(join(cwd, "go.sum"), join(directory, "go.sum"));
  return ["-modfile", join(directory, "go.mod")];
}
