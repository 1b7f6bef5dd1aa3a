/**
 * Sets up what is missing, then runs a program of this project on its own Node:
 * `node local/tools/run.mjs PROGRAM [ARGUMENT…]`. Depends on nothing, so that it runs on a bare Node 20.
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
  // A build that is under way is finished, for the next run.
  await Promise.allSettled([packages, engine]);
  await Promise.all([packages, engine]);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

// glibc keeps large pieces that were given back, in an arena a thread: several hundred megabytes where configurations and
// uploads come and go. Elsewhere nobody reads these.
const memory = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "262144" };
// What Node has compiled is kept for the next start, where it may be written.
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

// A terminal's Ctrl-C reaches the child by itself; this process only has to outlive it.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
