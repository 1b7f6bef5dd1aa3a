/** Starts a container engine for each test, and calls it as workerd does. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import * as z from "zod";
import { type ContainerEngineOptions, type ProcessEngine, startContainerEngine } from "../engine.ts";
import { type Confinement, probeConfinement } from "../isolation/confinement.ts";
import { findProcesses } from "../isolation/processes.ts";
import type { ScriptName } from "../names.ts";
import { EngineClient } from "./engine-client.ts";
import { testImage } from "./test-image.ts";

export const acme = { namespace: "tenants", name: "tenant-acme" };
export const hooli = { namespace: "tenants", name: "tenant-hooli" };
export const ID = "0123456789abcdef".repeat(4);
/** The confinement that this machine allows. */
export const probed = await probeConfinement(testImage());
export const unconfined: Confinement = { kind: "none", reason: "the test requires it" };

export interface TestEngine {
  directory: string;
  engine: ProcessEngine;
  client: EngineClient;
  start(options?: Partial<ContainerEngineOptions>): Promise<void>;
  /** Returns the name that workerd gives to the container of a script. */
  nameOf(script: ScriptName): string;
  /** Returns the status of a container, if it exists. */
  status(name: string): Promise<string | undefined>;
  diskOf(script: ScriptName): string;
}

/** Creates a directory before each test. After the test stops the engine and removes the directory. */
export function useEngine(): TestEngine {
  const context = {
    async start(options: Partial<ContainerEngineOptions> = {}) {
      const { directory } = context;
      context.engine = await startContainerEngine({ directory, image: testImage(), log: () => {}, ...options });
      context.client = new EngineClient(context.engine.address);
    },
    nameOf: (script: ScriptName) => `workerd-${context.engine.uniqueKey(script, "Sandbox")}-${ID}`,
    async status(name: string) {
      const { body } = await context.client.call("GET", `/containers/${name}/json`);
      return z.object({ State: z.object({ Status: z.string() }) }).safeParse(body).data?.State.Status;
    },
    diskOf: ({ namespace, name }: ScriptName) => join(context.directory, namespace, name, ID, "disk"),
  } as TestEngine;
  beforeEach(() => {
    context.directory = mkdtempSync(join(tmpdir(), "engine-test-"));
  });
  afterEach(async () => {
    await context.engine.stop();
    expect(findProcesses(context.engine.marker)).toEqual([]);
    rmSync(context.directory, { recursive: true, force: true });
  });
  return context;
}
