import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import * as z from "zod";
import { EngineRuns } from "#automation/engine/runs.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetDatabaseErrors } from "#domain/errors/commands/fleet-database.ts";
import { fleetRotationErrors } from "#domain/errors/commands/fleet-rotation.ts";
import { NEVER_ROTATED, type RotatingSecret, type Rotation, rotationSteps } from "#domain/rotation.ts";
import { fileOfStack, readLoosely, writeWhole } from "../files/stack-file.ts";
import type { RotateOptions } from "./options.ts";

const ROTATIONS = "tenantry:rotations";

const platformSettings = z.object({
  "tenantry:environment": z.enum(environments).default("production"),
  "tenantry:platform": z.unknown().optional(),
  [ROTATIONS]: z
    .record(z.string(), z.object({ version: z.int().positive(), step: z.enum(rotationSteps).default("done") }))
    .default({}),
});

export class PlatformFile {
  readonly path: string;
  readonly #options: RotateOptions;

  /** @throws Error if there is no such file, or it declares no platform */
  constructor(options: RotateOptions) {
    this.#options = options;
    this.path = join(dirname(options.directory), fileOfStack(options.stack));
    if (!existsSync(this.path)) {
      throw new CatalogueError(fleetDatabaseErrors.platform_file_not_found, { file: this.path });
    }
    if (this.#read()["tenantry:platform"] === undefined) {
      throw new CatalogueError(fleetRotationErrors.platform_not_declared, { file: this.path });
    }
  }

  get environment(): Environment {
    return this.#read()["tenantry:environment"];
  }

  rotationOf(secret: RotatingSecret): Rotation {
    return this.#read()[ROTATIONS][secret] ?? NEVER_ROTATED;
  }

  setRotation(secret: RotatingSecret, { version, step }: Rotation): void {
    const document = parseDocument(readFileSync(this.path, "utf8"));
    const value = step === "done" ? { version } : { version, step };
    document.setIn(["config", ROTATIONS, secret], document.createNode(value, { flow: true }));
    writeWhole(this.path, document.toString({ lineWidth: 0 }));
  }

  async up(): Promise<void> {
    const { stack, signal, say, variables, memoryMib, platformVariables } = this.#options;
    const runs = new EngineRuns({ memoryMib, variables: { ...variables, ...platformVariables(this.environment) } });
    const { config, encryption } = readLoosely(stack, readFileSync(this.path, "utf8"));
    await runs.run({ stack, operation: "up", config, encryption }, { onRecovered: say, signal });
  }

  #read(): z.infer<typeof platformSettings> {
    const { config } = readLoosely(this.#options.stack, readFileSync(this.path, "utf8"));
    const { data, error } = platformSettings.safeParse(config);
    if (data === undefined) {
      const values = { file: this.path, faults: z.prettifyError(error) };
      throw new CatalogueError(fleetRotationErrors.platform_file_invalid, values);
    }
    return data;
  }
}
