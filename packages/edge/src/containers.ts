/** The engine that runs containers as plain processes, and Docker or Podman instead of it. */

export {
  type ContainerEngine,
  type ContainerEngineOptions,
  type ProcessEngine,
  startContainerEngine,
} from "./containers/engine.ts";
export { EngineHost } from "./containers/engine-process/host.ts";
export type { Images } from "./containers/images.ts";
export { type Confinement, probeConfinement } from "./containers/isolation/confinement.ts";
export { endProcesses, type FoundProcess, findProcesses } from "./containers/isolation/processes.ts";
export { engineMark } from "./containers/names.ts";
export { probeNetwork } from "./containers/network/probe.ts";
export { RealEngineClient } from "./containers/real/client.ts";
export { removeContainers, startRealEngine } from "./containers/real/engine.ts";
export { buildImage } from "./containers/real/images.ts";
export { type PreparedEngine, prepareEngine } from "./containers/real/prepare.ts";
export { findEngineSocket } from "./containers/real/socket.ts";
