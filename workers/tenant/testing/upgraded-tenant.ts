/** A tenant whose image can change to another version of the gateway. */
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

/** @param image as JSON, or a file with that JSON */
const commandOf = (image: string): string[] => [
  process.execPath,
  join(import.meta.dirname, "image-gateway.mjs"),
  image,
];

/** Returns the environment variables of an image for the local edge. */
export function imageVariables(image: Image): Record<string, string> {
  const command = commandOf(JSON.stringify(image));
  return {
    GATEWAY_COMMAND: JSON.stringify(command),
    GATEWAY_VERSION_COMMAND: JSON.stringify([...command, "--version"]),
    REFERENCE_GATEWAY_START_MS: "200",
  };
}

export interface UpgradedTenant extends ProxiedTenant {
  /** Changes the image. A running container uses it at its next start. */
  setImage(image: Image): void;
}

export type OpenUpgraded = (image: Image) => Promise<UpgradedTenant>;

/** The test's fixture. */
export const openUpgraded =
  ({ directory, openProxied }: { directory: string; openProxied: OpenProxied }): OpenUpgraded =>
  async (image) => {
    // A container sees the directory of each file in its gateway's command.
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
