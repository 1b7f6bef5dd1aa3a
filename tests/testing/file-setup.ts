/** Test files share a process: each restores the environment, the clock and spied functions. */
import { afterAll, vi } from "vitest";
import { firstEnvironment } from "./first-environment.ts";
import { processorSeconds } from "./processor-seconds.ts";
import "./idle-connections.ts";

const before = processorSeconds();

// biome-ignore lint/correctness/noEmptyPattern: vitest takes no other first argument.
afterAll(({}, { file }) => {
  file.meta.processorSeconds = processorSeconds() - before;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.useRealTimers();
  // The local edge's runtime names its launcher here, which would start the workerd of other tests too.
  for (const name of Object.keys(process.env)) if (!(name in firstEnvironment)) delete process.env[name];
  Object.assign(process.env, firstEnvironment);
});
