import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engineSockets, findEngineSocket } from "./socket.ts";

async function serve(status: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "engine-socket-"));
  const socket = join(directory, "engine.sock");
  const server = createServer((_, response) => void response.writeHead(status).end());
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });
  return socket;
}

test("uses only DOCKER_HOST when it is set, else Docker before Podman", () => {
  expect(engineSockets({ DOCKER_HOST: "unix:///tmp/engine.sock" })).toEqual(["/tmp/engine.sock"]);
  expect(engineSockets({ XDG_RUNTIME_DIR: "/run/user/7" }).slice(0, 4)).toEqual([
    "/var/run/docker.sock",
    "/run/user/7/docker.sock",
    "/run/user/7/podman/podman.sock",
    "/run/podman/podman.sock",
  ]);
  expect(() => engineSockets({ DOCKER_HOST: "tcp://10.0.0.1:2375" })).toThrow("Set it to unix:///path");
});

test("finds an engine that responds, and reports the others with a remedy", async () => {
  const socket = await serve(200);
  expect(await findEngineSocket({ DOCKER_HOST: `unix://${socket}` })).toBe(socket);
  const broken = await serve(500);
  await expect(findEngineSocket({ DOCKER_HOST: `unix://${broken}` })).rejects.toThrow(
    `Tried ${broken} (500). Start Docker`,
  );
  await expect(findEngineSocket({ DOCKER_HOST: "unix:///nowhere/engine.sock" })).rejects.toThrow("(not found)");
});
