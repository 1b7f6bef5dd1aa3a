import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** The test files that start from an empty edge, with the reason. All others start from the worker's platform (`openPlatform`). */
const OWN_EDGES: Readonly<Record<string, string>> = {
  "tests/conformance/calls.test.ts": "records every call of a deployment from nothing",
  "tests/fleet/fleet.test.ts": "encrypts its stacks by the passphrase",
  "tests/fleet/preflight.test.ts": "checks an account without products, before there is a database",
  "tests/lifecycle/account-limits.test.ts": "previews a platform before there is a database",
  "tests/lifecycle/command-line.test.ts": "previews by the plain command line, and encrypts by the passphrase",
  "tests/lifecycle/deploy.test.ts": "deploys a platform from nothing",
  "tests/lifecycle/interrupted.test.ts": "kills the first deployment",
  "tests/lifecycle/policies.test.ts": "previews the demo, which is not deployed",
  "tests/lifecycle/secrets.test.ts": "encrypts its stack by the passphrase",
  "tests/openclaw/images.test.ts": "runs containers on the machine's engine",
  "tests/routing/ai-gateways.test.ts": "has no platform",
  "tests/routing/development.test.ts": "deploys development alone",
  "tests/routing/staging.test.ts": "deploys staging alone",
};

test("only the listed files start from an empty edge", () => {
  const found = globSync("tests/**/*.test.ts", { cwd: ROOT }).filter(
    (path) =>
      path !== "tests/testing/own-edges.test.ts" &&
      /\b(openEdge|temporaryEdge)\(/.test(readFileSync(join(ROOT, path), "utf8")),
  );
  expect(found.toSorted()).toEqual(Object.keys(OWN_EDGES));
});
