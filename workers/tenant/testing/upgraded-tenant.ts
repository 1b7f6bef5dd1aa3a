/** A tenant whose image has the gateway in another version from one moment to the next. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type EngineProxy, startEngineProxy } from "./engine-proxy.ts";
import { startTenant, type Tenant } from "./harness.ts";

export const GATEWAY = "reference-gateway";

/** See `image-gateway.mjs`. */
export interface Image {
  version: string;
  upgrade?: "works" | "fails" | "hangs";
}

export interface UpgradedTenant {
  tenant: Tenant;
  proxy: EngineProxy;
  /** Gives the tenant another image; in a container that runs, its next start has it. */
  setImage(image: Image): void;
}

/** A tenant that ends with the test. */
export async function openUpgraded(image: Image, bindings: Record<string, string> = {}): Promise<UpgradedTenant> {
  const directory = mkdtempSync(join(tmpdir(), "upgraded-tenant-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  // A container sees the directory of what its gateway's command names.
  const file = join(directory, "image", "image.json");
  mkdirSync(join(directory, "image"));
  const setImage = (given: Image) => writeFileSync(file, JSON.stringify(given));
  setImage(image);
  const command = [process.execPath, join(import.meta.dirname, "image-gateway.mjs"), file];
  let proxy: EngineProxy | undefined;
  const tenant = await startTenant(["env", "REFERENCE_GATEWAY_START_MS=200", ...command], {
    directory: join(directory, "containers"),
    versionCommand: [...command, "--version"],
    bindings,
    between: async (engine) => {
      proxy = await startEngineProxy(engine, directory);
      return proxy.address;
    },
  });
  onTestFinished(async () => {
    await tenant.stop();
    proxy?.stop();
  });
  if (proxy === undefined) throw new Error("workerd was given another engine");
  return { tenant, proxy, setImage };
}
