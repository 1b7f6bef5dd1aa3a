/** The host of container engines that all tests of a process share; it ends with the process. */
import { EngineHost } from "../apart/host.ts";

let shared: EngineHost | undefined;

export function sharedHost(): EngineHost {
  shared ??= new EngineHost();
  return shared;
}
