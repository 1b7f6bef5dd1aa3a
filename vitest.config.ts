import { defineConfig } from "vitest/config";
import { RunOrder } from "./tests/testing/run-order.ts";
import SlowestFiles from "./tests/testing/slowest-files.ts";
import { TEST_FILES, unitTests } from "./tests/testing/tiers.ts";

const FILE_SETUP = "tests/testing/file-setup.ts";
const unit = unitTests();
const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"));

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: "unit", include: unit, setupFiles: [FILE_SETUP, "tests/testing/no-processes.ts"] },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: [TEST_FILES],
          exclude: unit,
          globalSetup: "tests/testing/global-setup.ts",
          setupFiles: [FILE_SETUP],
        },
      },
    ],
    reporters: ["default", new SlowestFiles()],
    // `--sequence.shuffle.files` sets vitest's own.
    sequence: isShuffled ? {} : { sequencer: RunOrder },
    // Test files share modules, which take longer to load than most tests take: each clears up what it changes of them.
    isolate: false,
    // On two cores: the third works while others wait. A fourth made runs no faster.
    maxWorkers: 3,
    // A larger young generation: a twentieth of the processor time of tests that run the engine. A larger first old one: no marking below it.
    execArgv: ["--initial-old-space-size=512", "--min-semi-space-size=64", "--max-semi-space-size=64"],
    // Of one file's concurrent tests.
    maxConcurrency: 5,
    // The engine's and the bundler's processes are short; what they save by collecting no garbage is a fifth of their time.
    env: {
      GOGC: "off",
      GOMEMLIMIT: "1GiB",
      // A killed run loses its last changes; tests of kills turn checkpoints on.
      PULUMI_SKIP_CHECKPOINTS: "true",
    },
    // Runs of the engine on a loaded machine take their time; the limit only ends what hangs.
    expect: { poll: { timeout: 180_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
