/** A container that keeps Podman's bridge: workerd listens on the bridge before it starts another. Its disk shows whether Podman can limit disks. */
import { NO_PROGRAM } from "../isolation/disks.ts";
import type { RealEngineClient } from "./client.ts";
import type { OwnContainers } from "./containers.ts";
import type { VolumeDisks } from "./disks.ts";

interface BridgeOptions {
  client: RealEngineClient;
  containers: OwnContainers;
  disks: VolumeDisks;
  /** Whether Podman runs as root. */
  isRoot: boolean;
  name: string;
  image: string;
}

const DISK_MB = 8;
const NOT_HERE = "Podman mounts no images here";

/** Starts the container, in place of an earlier one. @returns why disks cannot be limited @throws Error when it does not start */
export async function startBridge(o: BridgeOptions): Promise<string | undefined> {
  const start = async (disk: readonly string[]): Promise<void> => {
    const body = { Image: o.image, HostConfig: { NetworkMode: "bridge", ...(disk.length > 0 && { Binds: disk }) } };
    await o.client.expect([201], "POST", "/containers/create", { query: { name: o.name }, body });
    await o.containers.start(o.name);
  };
  await o.containers.remove(o.name);
  let reason = "images need root";
  if (o.isRoot)
    try {
      await start(await o.disks.create(o.name, DISK_MB));
      return undefined;
    } catch (error) {
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      reason = isMissing ? NO_PROGRAM : NOT_HERE;
      await o.containers.remove(o.name);
    }
  await start([]);
  return reason;
}
