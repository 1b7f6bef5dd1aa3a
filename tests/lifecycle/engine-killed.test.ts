import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { listen } from "@tenantry/std/listening";
import { expect, onTestFinished, test } from "vitest";
import { prepareProject } from "#local/start/project.ts";
import { processesOf } from "../testing/edge-program.ts";
import { killTree, startPulumi } from "../testing/engine.ts";
import { platformSettings, temporaryPlatform, writeSettings } from "../testing/platform.ts";

/** Milliseconds that the program may outlive its engine: more than it takes, and less than its own timeout. */
const PATIENCE_MS = 10_000;

test("ends the program when only its engine was killed", async () => {
  const edge = await temporaryPlatform();
  // A database that accepts connections without responding blocks the program.
  const silent = createServer(() => {});
  const port = await listen(silent, { port: 0 });
  onTestFinished(() => void silent.close());
  const databaseUrl = `postgres://nobody:secret@127.0.0.1:${port}/tenantry`;
  const settings = platformSettings([{ slug: "acme" }], { "tenantry:databaseUrl": databaseUrl });
  const project = prepareProject(edge.directory, "killed", await writeSettings(edge, "killed", settings));
  await startPulumi(edge, project, ["stack", "init", "killed"]).ended;

  const connected = once(silent, "connection");
  const { ended } = startPulumi(edge, project, ["up", "--yes", "--skip-preview", "-s", "killed"]);
  await Promise.race([connected, ended.then(({ output }) => Promise.reject(new Error(`ended by itself: ${output}`)))]);
  const programs = () => processesOf(edge.directory).filter(({ command }) => command.includes("/program-entry.ts"));
  onTestFinished(() => {
    for (const { pid } of programs()) killTree(pid);
  });
  // The language host is between the two.
  const host = processesOf(edge.directory).find(({ pid }) => pid === programs()[0]?.parent);
  if (host === undefined) throw new Error("no program runs");
  // The program checks only every five minutes whether its engine runs.
  onTestFinished(() => killTree(host.pid));
  process.kill(host.parent, "SIGKILL");

  const deadline = Date.now() + PATIENCE_MS;
  while (programs().length > 0 && Date.now() < deadline) await delay(50);
  expect(programs()).toEqual([]);
});
