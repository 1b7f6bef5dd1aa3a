import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scratchRepository } from "#fleet/testing/repository.ts";
import { processesOf } from "../testing/edge-program.ts";
import { killTree } from "../testing/engine.ts";
import { platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";
import { stackFile } from "./testing/doctor-steps.ts";
import { killFleets, runFleet, startFleet } from "./testing/fleet-run.ts";

test("unlocks a stack of a killed run, and of a live one only when forced", async () => {
  const edge = await temporaryPlatform();
  onTestFinished(killFleets);
  await (await stackOf(edge, platformSettings([]))).up();
  const repository = scratchRepository();
  repository.write("prod-acme", stackFile("acme"));
  const tenants = ["--tenants", repository.directory];

  const uploaded = new Promise<void>((resolve) => {
    edge.store.onChange(({ operation, kind }) => {
      if (operation === "put" && kind === "script") resolve();
    });
  });
  const { child, ended } = startFleet(edge, ["up", ...tenants]);
  await Promise.race([
    uploaded,
    ended.then(({ output, progress }) => Promise.reject(new Error(`ended by itself: ${output}${progress}`))),
  ]);
  const engine = processesOf(edge.directory).find(
    ({ pid, command }) => readName(pid) === "pulumi" && command.includes(" up "),
  );
  if (engine === undefined) throw new Error("no engine runs");
  process.kill(engine.pid, "SIGSTOP");
  const refused = await runFleet(edge, ["recover", "prod-acme"]);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.progress).toContain("Another run has locked the stack");
  expect(refused.progress).toContain("recover prod-acme --force");

  if (child.pid !== undefined) killTree(child.pid);
  await ended;
  const left = readFileSync(join(edge.directory, "pulumi/.pulumi/stacks/tenantry/prod-acme.json"), "utf8");
  const recovered = await runFleet(edge, ["recover", "prod-acme"]);
  expect(recovered, recovered.progress).toMatchObject({ code: 0 });
  expect(recovered.progress).toContain("Removed the lock of a killed run.");
  // The killed run's state is backed up before the repair.
  const copies = join(edge.directory, "pulumi/.pulumi/backups/tenantry/prod-acme");
  expect(readdirSync(copies).some((copy) => readFileSync(join(copies, copy), "utf8") === left)).toBe(true);
  const up = await runFleet(edge, ["up", ...tenants]);
  expect(up, up.output).toMatchObject({ code: 0 });
  expect(edge.store.list("access_application").filter(({ name }) => name.includes("acme"))).toHaveLength(1);

  // Processes of another machine cannot be checked.
  const locks = join(edge.directory, "pulumi/.pulumi/locks/organization/tenantry/prod-acme");
  mkdirSync(locks, { recursive: true });
  const holder = { pid: 1, username: "runner", hostname: "elsewhere", timestamp: "2026-11-01T00:00:00Z" };
  writeFileSync(join(locks, "6b1f6d54-0c37-4f0e-9df5-0d7e8b3a4c21.json"), JSON.stringify(holder));
  const doubtful = await runFleet(edge, ["recover", "prod-acme"]);
  expect(doubtful).toMatchObject({ code: 1 });
  expect(doubtful.progress).toContain("runner on elsewhere");
  const forced = await runFleet(edge, ["recover", "prod-acme", "--force"]);
  expect(forced, forced.progress).toMatchObject({ code: 0 });
  expect(readdirSync(locks)).toEqual([]);

  const unknown = await runFleet(edge, ["recover", "prod-nobody"]);
  expect(unknown).toMatchObject({ code: 1 });
  expect(unknown.progress).toContain("no stack named");
});

function readName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}
