/**
 * `node local/tools/run.mjs PROGRAM [ARGUMENT…]` installs what is missing, then runs a program on the project's Node.js. It imports no
 * packages and runs on Node.js 20.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { engineDirectory, engineHome, ensureEngine } from "./engine.mjs";
import { ensurePackages } from "./packages.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

try {
  const packages = ensurePackages(root);
  const engine = ensureEngine(packages);
  // After a failure, wait for the other installation: the next run uses it.
  await Promise.allSettled([packages, engine]);
  await Promise.all([packages, engine]);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

// glibc keeps freed memory in an arena per thread: several hundred megabytes. Other C libraries ignore these.
const memory = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "262144" };
const compiled = join(root, "node_modules/.cache/tenantry/compiled");

const bin = join(root, "node_modules", ".bin");
const child = spawn(join(bin, "node"), ["--disable-warning=ExperimentalWarning", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: {
    ...memory,
    NODE_COMPILE_CACHE: compiled,
    ...process.env,
    PULUMI_HOME: engineHome(),
    PATH: [engineDirectory(), bin, process.env.PATH].join(delimiter),
  },
});

// A terminal's Ctrl-C also reaches the child; this process must only outlive it.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
