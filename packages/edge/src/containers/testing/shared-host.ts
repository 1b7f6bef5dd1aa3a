import { EngineHost } from "../engine-process/host.ts";

let shared: EngineHost | undefined;

/** Returns the process of container engines that all tests of this process share. It ends with this process. */
export function sharedHost(): EngineHost {
  shared ??= new EngineHost();
  return shared;
}
