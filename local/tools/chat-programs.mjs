/**
 * Chat servers and clients for the acceptance tests of socket channels, installed once, outside the checkout: an IRC server and client of Debian,
 * a Matrix homeserver and client of PyPI.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const PYTHON_PACKAGES = ["matrix-synapse==1.163.2", "matrix-nio==0.26.0"];

/** By name: commands that install a program into the present directory. */
const PROGRAMS = {
  irc: [
    ["apt-get", "download", "ngircd", "ii", "libident"],
    ["sh", "-c", "for package in *.deb; do dpkg -x $package . || exit 1; done"],
  ],
  matrix: [
    ["python3", "-m", "venv", "."],
    ["bin/python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:", ...PYTHON_PACKAGES],
  ],
};

/** Installs a program if it is missing. @returns its directory; undefined, with a line, if it cannot be installed here */
function installed(cache, name) {
  const directory = join(cache, `chat-${name}-1`);
  if (existsSync(directory) && readdirSync(directory).length > 0) return directory;
  process.stdout.write(`Installing programs for ${name} into ${directory}…\n`);
  const partial = `${directory}.partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  for (const [command, ...parameters] of PROGRAMS[name]) {
    const { status, stderr, error } = spawnSync(command, parameters, { cwd: partial, encoding: "utf8" });
    if (status === 0) continue;
    rmSync(partial, { recursive: true, force: true });
    const reason = error?.message ?? stderr.trim().split("\n").at(-1);
    process.stdout.write(`Skipping the tests of ${name}: ${command} failed: ${reason}\n`);
    return undefined;
  }
  renameSync(partial, directory);
  return directory;
}

/** Returns the variables that name the programs' directories. */
export function chatPrograms(cache) {
  const names = Object.keys(PROGRAMS).map((name) => [`TENANTRY_CHAT_${name.toUpperCase()}`, installed(cache, name)]);
  return Object.fromEntries(names.filter(([, directory]) => directory !== undefined));
}
