/** A tenant whose image has the gateway in another version from one moment to the next. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenProxied, ProxiedTenant } from "./proxied-tenant.ts";

export const GATEWAY = "reference-gateway";

/** See `image-gateway.mjs`. */
export interface Image {
  version: string;
  start?: "works" | "fails";
  upgrade?: "works" | "fails" | "hangs";
}

/** @param image itself, or the file that tells it */
const commandOf = (image: string): string[] => [
  process.execPath,
  join(import.meta.dirname, "image-gateway.mjs"),
  image,
];

/** The variables of an image, as a local edge is told of images. */
export function imageVariables(image: Image): Record<string, string> {
  const command = commandOf(JSON.stringify(image));
  return {
    GATEWAY_COMMAND: JSON.stringify(command),
    GATEWAY_VERSION_COMMAND: JSON.stringify([...command, "--version"]),
    REFERENCE_GATEWAY_START_MS: "200",
  };
}

export interface UpgradedTenant extends ProxiedTenant {
  /** Gives the tenant another image; in a container that runs, its next start has it. */
  setImage(image: Image): void;
}

export type OpenUpgraded = (image: Image) => Promise<UpgradedTenant>;

/** The fixture of the test, which opens one a test. */
export const openUpgraded =
  ({ directory, openProxied }: { directory: string; openProxied: OpenProxied }): OpenUpgraded =>
  async (image) => {
    // A container sees the directory of what its gateway's command names.
    const file = join(directory, "image", "image.json");
    mkdirSync(join(directory, "image"));
    const setImage = (given: Image) => writeFileSync(file, JSON.stringify(given));
    setImage(image);
    const command = commandOf(file);
    const opened = await openProxied(["env", "REFERENCE_GATEWAY_START_MS=200", ...command], {
      versionCommand: [...command, "--version"],
    });
    return { ...opened, setImage };
  };
