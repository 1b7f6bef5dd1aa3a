import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{components,provider,domain,database,local,workers,tools,tests,policy}/**/*.test.ts"],
    // Two cores: more workers only slow each other down.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
