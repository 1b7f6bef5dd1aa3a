import { homedir } from "node:os";
import { join } from "node:path";
import { RealEngineClient } from "./client.ts";

const PING_MS = 5_000;

/** Returns possible sockets, the most likely first. @throws Error when `DOCKER_HOST` is not a unix socket */
export function engineSockets(environment: NodeJS.ProcessEnv): string[] {
  const { DOCKER_HOST: host, XDG_RUNTIME_DIR: runtime } = environment;
  if (host) {
    const [, path] = /^unix:\/\/(\/.*)$/.exec(host) ?? [];
    if (path === undefined)
      throw new Error(`DOCKER_HOST is ${host}, but workerd connects to unix sockets only. Set it to unix:///path.`);
    return [path];
  }
  const own = runtime ? [join(runtime, "docker.sock"), join(runtime, "podman/podman.sock")] : [];
  return ["/var/run/docker.sock", ...own, "/run/podman/podman.sock", join(homedir(), ".docker/run/docker.sock")];
}

/**
 * Returns the socket of an engine that responds.
 *
 * @param environment Default: that of this process
 * @throws Error with the remedy when none responds
 */
export async function findEngineSocket(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const tried: string[] = [];
  for (const socket of engineSockets(environment)) {
    const response = await new RealEngineClient(socket).call("GET", "/_ping", { timeoutMs: PING_MS }).catch(String);
    if (typeof response !== "string" && response.status === 200) return socket;
    tried.push(`${socket} (${typeof response === "string" ? describeError(response) : response.status})`);
  }
  throw new Error(
    `No container engine responds. Tried ${tried.join(", ")}. Start Docker, or Podman by "systemctl --user start podman.socket" or ` +
      `"podman system service --time=0 unix:///path/podman.sock", or name its socket by DOCKER_HOST=unix:///path.`,
  );
}

function describeError(error: string): string {
  if (error.includes("ENOENT")) return "not found";
  if (error.includes("EACCES")) return "permission denied";
  return /connect (\w+)/.exec(error)?.[1] ?? error;
}
