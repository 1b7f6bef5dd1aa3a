import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Change, RecordKind } from "@tenantry/edge";
import { expect, test, vi } from "vitest";
import type { Edge } from "#local/edge.ts";
import { prepareProject } from "#local/start/project.ts";
import { changedResources, killTree, startPulumi, WITH_CHECKPOINTS } from "../testing/engine.ts";
import { platformSettings, recoveredStack, temporaryEdge, writeSettings } from "../testing/platform.ts";

test("recovers from an engine that is killed repeatedly, and creates nothing twice", async () => {
  for (const [name, value] of Object.entries(WITH_CHECKPOINTS)) vi.stubEnv(name, value);
  const edge = await temporaryEdge();
  const settings = platformSettings([{ slug: "acme" }, { slug: "lab" }]);
  const project = prepareProject(edge.directory, "whole", await writeSettings(edge, "whole", settings));
  await startPulumi(edge, project, ["stack", "init", "whole"]).ended;

  // Among the platform's resources, and after the upload of a Worker.
  await kill(edge, project, "up", changes(edge, "put", 12));
  await recoveredStack(edge, settings);
  await kill(edge, project, "up", changes(edge, "put", 1, "script"));
  tearState(join(edge.directory, "pulumi/.pulumi/stacks/tenantry/whole.json"));

  const stack = await recoveredStack(edge, settings);
  await stack.up();
  expect(await changedResources(stack, "up")).toEqual([]);

  expect((await stack.exportStack()).deployment.pending_operations ?? []).toEqual([]);
  for (const kind of [
    "access_application",
    "access_policy",
    "access_group",
    "queue",
    "kv_namespace",
    "api_token",
    "route",
  ] as const) {
    const names = edge.store.list(kind).map((record) => JSON.stringify(nameOf(record)));
    expect(new Set(names).size, `${kind}: ${names.join(" ")}`).toBe(names.length);
  }

  await kill(edge, project, "destroy", changes(edge, "delete", 8));
  // Or a partial file beside it.
  writeFileSync(join(edge.directory, "pulumi/.pulumi/stacks/tenantry/whole.json.attrs"), "");
  await (await recoveredStack(edge, settings)).destroy();
  expect(edge.store.counts()).toEqual({ bucket: 2 });
});

/** Leaves a state as a kill during a write does: the engine copies the complete state first, then overwrites it in place. */
function tearState(file: string): void {
  if (readFileSync(file, "utf8").trimEnd().endsWith("}")) copyFileSync(file, `${file}.bak`);
  writeFileSync(file, "");
}

/** Resolves after a number of changes of a kind in the account. */
function changes(edge: Edge, operation: Change["operation"], count: number, kind?: RecordKind): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    edge.store.onChange((change) => {
      if (change.operation === operation && (kind === undefined || change.kind === kind)) seen += 1;
      if (seen === count) resolve();
    });
  });
}

/** Kills a run of the engine and its plugins at `moment`. */
async function kill(edge: Edge, project: string, command: "up" | "destroy", moment: Promise<void>): Promise<void> {
  const { child, ended } = startPulumi(edge, project, [command, "--yes", "--skip-preview", "-s", "whole"]);
  await Promise.race([
    moment,
    ended.then(({ output }) => Promise.reject(new Error(`the run ended by itself: ${output}`))),
  ]);
  if (child.pid === undefined) throw new Error("no process");
  killTree(child.pid);
  await ended;
}

function nameOf(record: object): unknown {
  const { name, title, queue_name, pattern } = record as Record<string, unknown>;
  return name ?? title ?? queue_name ?? pattern;
}
