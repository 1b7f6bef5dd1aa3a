import { expect, it } from "vitest";
import type { Change } from "../../local/api/store.ts";
import { prepareProject } from "../../local/project.ts";
import { changedResources, killTree, startPulumi } from "../testing/engine.ts";
import { accountContents, platformSettings, stackOf, temporaryEdge, writeSettings } from "../testing/platform.ts";

it("recovers from an engine killed in the middle, and makes nothing twice", async () => {
  const edge = await temporaryEdge();
  const settings = platformSettings([{ slug: "acme" }, { slug: "lab" }]);
  const project = prepareProject(edge.directory, "whole", await writeSettings(edge, "whole", settings));

  const halfway = new Promise<void>((resolve) => {
    let changes = 0;
    edge.store.onChange(({ operation }: Change) => {
      if (operation === "put") changes += 1;
      if (changes === 12) resolve();
    });
  });
  await startPulumi(edge, project, ["stack", "init", "whole"]).ended;
  const { child, ended } = startPulumi(edge, project, ["up", "--yes", "--skip-preview", "-s", "whole"]);
  await Promise.race([
    halfway,
    ended.then(({ output }) => Promise.reject(new Error(`the run ended by itself: ${output}`))),
  ]);
  if (child.pid === undefined) throw new Error("no process");
  killTree(child.pid);
  await ended;

  const stack = await stackOf(edge, settings);
  await stack.up();
  expect(await changedResources(stack, "up")).toEqual([]);

  expect((await stack.exportStack()).deployment.pending_operations ?? []).toEqual([]);
  for (const kind of [
    "access_application",
    "access_policy",
    "access_group",
    "list",
    "queue",
    "kv_namespace",
    "api_token",
    "route",
  ] as const) {
    const names = edge.store.list(kind).map((record) => JSON.stringify(nameOf(record)));
    expect(new Set(names).size, `${kind}: ${names.join(" ")}`).toBe(names.length);
  }

  await stack.destroy();
  expect(accountContents(edge)).toEqual({ bucket: 2 });
});

function nameOf(record: object): unknown {
  const { name, title, queue_name, pattern } = record as Record<string, unknown>;
  return name ?? title ?? queue_name ?? pattern;
}
