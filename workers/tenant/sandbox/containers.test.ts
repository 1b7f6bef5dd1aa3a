/** Runs the same cases with the emulation and with a real engine. */
import { afterAll, describe } from "vitest";
import { containerCases } from "../testing/container-cases.ts";
import { findRealEngine } from "../testing/real-engine.ts";

const found = await findRealEngine();
if (typeof found === "string") console.warn(`SKIPPED: the tenant Worker with a real container engine; ${found}`);

describe("with plain processes", () => containerCases());

describe.skipIf(typeof found === "string")("with a real container engine", () => {
  afterAll(async () => {
    if (typeof found !== "string") await found.stop();
  });
  containerCases(typeof found === "string" ? undefined : found.open);
});
