/** A fixture on an edge of this process, as the older version deployed it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import type { WeatherOptions } from "@tenantry/edge";
import { sharedHost } from "@tenantry/edge/testing/runtime";
import { PORT_VARIABLE } from "@tenantry/plugin-host";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import { vi } from "vitest";
import { type Edge, startEdge } from "#local/edge.ts";
import { DemoPlatform, SETTINGS } from "#local/start/demo-platform.ts";
import { deployment } from "#local/start/deployer/messages.ts";
import { selectStack } from "#local/start/deployment.ts";
import { ProgressView } from "#local/start/progress.ts";
import { declaredImage } from "#local/start/project.ts";
import { WITH_CHECKPOINTS } from "../../testing/engine.ts";
import { environmentSettings, GATEWAY_IMAGE, providersPort, serveProviders, stackOf } from "../../testing/platform.ts";
import { layFixture, type Manifest } from "./fixture.ts";

export const STAGING = "staging";

export class FixturePlatform {
  readonly edge: Edge;
  readonly manifest: Manifest;
  readonly #ended = new AbortController();
  readonly #remove: () => Promise<void>;
  #stopProviders: (() => Promise<void>) | undefined;
  #platform: DemoPlatform | undefined;

  private constructor(edge: Edge, manifest: Manifest, remove: () => Promise<void>) {
    this.edge = edge;
    this.manifest = manifest;
    this.#remove = remove;
  }

  /** Serves the fixture as deployed. @param weather is paused. Default: none */
  static async open(name: string, weather?: WeatherOptions): Promise<FixturePlatform> {
    const parent = await mkdtemp(join(tmpdir(), "tenantry-"));
    const directory = join(parent, "state");
    const remove = async () => {
      await removeDatabase(join(directory, "postgres"));
      await rm(parent, { recursive: true, force: true });
    };
    try {
      const manifest = await layFixture(name, directory);
      const { edge: port } = manifest.ports;
      const pushed = [GATEWAY_IMAGE, declaredImage(SETTINGS) ?? ""];
      const edge = await startEdge({ directory, port, engineHost: sharedHost(), pushed, ...(weather && { weather }) });
      edge.weather?.pause();
      return new FixturePlatform(edge, manifest, remove);
    } catch (error) {
      await remove();
      throw error;
    }
  }

  /** Deploys this version as `npm start` does, and starts its automation service; again after a failure. @returns milliseconds */
  async upgrade(): Promise<number> {
    const { edge } = this;
    this.#stopProviders ??= await serveProviders(edge);
    const began = performance.now();
    await this.#platform?.close();
    const options = { port: edge.port, state: edge.directory, fresh: false, vendorPlugins: false, weather: undefined };
    const others = { gatewayCommand: undefined, containers: "processes", image: undefined } as const;
    const printing = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      // The service's runs would each start four provider processes.
      vi.stubEnv(PORT_VARIABLE, String(providersPort(edge)));
      const view = new ProgressView();
      this.#platform = new DemoPlatform(edge, { ...options, ...others }, view, await freePort(), this.#ended.signal);
      await this.#platform.open();
    } finally {
      vi.stubEnv(PORT_VARIABLE, undefined);
      printing.mockRestore();
    }
    return performance.now() - began;
  }

  /** Deploys this version as another environment in the same account and database. */
  async deployStaging(): Promise<void> {
    const { edge } = this;
    this.#stopProviders ??= await serveProviders(edge);
    await (await stackOf(edge, environmentSettings("staging", [{ slug: "pilot" }]), STAGING)).up();
  }

  /** Runs the automation service from a checkout of the platform's version during `work`. */
  async withService(checkout: string, work: () => Promise<void>): Promise<void> {
    const { edge } = this;
    const folder = join(checkout, "local/start");
    const { Automation } = (await import(join(folder, "automation.ts"))) as typeof import("#local/start/automation.ts");
    const { stateEnvironment } = (await import(join(folder, "project.ts"))) as typeof import("#local/start/project.ts");
    const outputs = Object.entries(await (await this.stack()).outputs());
    const engine = {
      ...stateEnvironment(edge.directory, edge, undefined),
      ...WITH_CHECKPOINTS,
      PLATFORM_STACK: "local",
    };
    const service = new Automation(edge, "production", await freePort(), engine);
    service.start(deployment.parse(Object.fromEntries(outputs.map(([name, { value }]) => [name, value]))));
    try {
      await work();
    } finally {
      await service.stop();
    }
  }

  /** The deployed stack, for the test's own runs. */
  async stack(): Promise<Stack> {
    const { edge } = this;
    this.#stopProviders ??= await serveProviders(edge);
    const names = { directory: edge.directory, name: "local", settings: SETTINGS };
    return selectStack({ ...names, target: edge, providersPort: providersPort(edge) });
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#platform?.close();
    await this.#stopProviders?.();
    await this.edge.stop();
    await this.#remove();
  }
}
