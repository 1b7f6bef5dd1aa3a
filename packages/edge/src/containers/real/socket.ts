/** Finds the socket of the machine's container engine. */
import { homedir } from "node:os";
import { join } from "node:path";
import { RealEngineClient } from "./client.ts";

const PING_MS = 5_000;

/** Where engines listen, the likeliest first. @throws Error when `DOCKER_HOST` names no unix socket */
export function engineSockets(environment: NodeJS.ProcessEnv): string[] {
  const { DOCKER_HOST: host, XDG_RUNTIME_DIR: runtime } = environment;
  if (host) {
    const [, path] = /^unix:\/\/(\/.*)$/.exec(host) ?? [];
    if (path === undefined)
      throw new Error(
        `DOCKER_HOST is ${host}, but workerd reaches a container engine by a unix socket only: set it to unix:///path.`,
      );
    return [path];
  }
  const own = runtime ? [join(runtime, "docker.sock"), join(runtime, "podman/podman.sock")] : [];
  return ["/var/run/docker.sock", ...own, "/run/podman/podman.sock", join(homedir(), ".docker/run/docker.sock")];
}

/**
 * The socket of an engine that answers.
 *
 * @param environment Default: this process's
 * @throws Error that says what to do when there is none
 */
export async function findEngineSocket(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const tried: string[] = [];
  for (const socket of engineSockets(environment)) {
    const answer = await new RealEngineClient(socket).call("GET", "/_ping", { timeoutMs: PING_MS }).catch(String);
    if (typeof answer !== "string" && answer.status === 200) return socket;
    tried.push(`${socket} (${typeof answer === "string" ? said(answer) : answer.status})`);
  }
  throw new Error(
    `No container engine answers; tried ${tried.join(", ")}. Start Docker, or Podman by "systemctl --user start podman.socket" or ` +
      `"podman system service --time=0 unix:///path/podman.sock", or name its socket by DOCKER_HOST=unix:///path.`,
  );
}

function said(error: string): string {
  if (error.includes("ENOENT")) return "not there";
  if (error.includes("EACCES")) return "not allowed";
  return /connect (\w+)/.exec(error)?.[1] ?? error;
}
