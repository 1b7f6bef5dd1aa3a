import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{stack,components,plugin-host,provider,domain,database,local,workers,tools,tests}/**/*.test.ts"],
    // Two cores: more workers only slow each other down.
    maxWorkers: 2,
    // Of one file's concurrent tests.
    maxConcurrency: 3,
    // Runs of the engine on a loaded machine take their time; the limit only ends what hangs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
