import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchRepository } from "../testing/repository.ts";
import { changedFiles } from "./changed-files.ts";

test("finds new, changed, untracked and deleted files only", async () => {
  const repository = scratchRepository();
  for (const stack of ["prod-same", "prod-changed", "prod-gone", "prod-renamed"])
    repository.write(stack, `# ${stack}\n`);
  const before = repository.commit();
  repository.write("prod-changed", "# other\n");
  repository.write("prod-new", "# new\n");
  repository.remove("prod-gone");
  repository.git("mv", "tenants/Pulumi.prod-renamed.yaml", "tenants/Pulumi.prod-moved.yaml");
  writeFileSync(join(repository.directory, "Pulumi.yaml"), "name: tenantry\n");
  writeFileSync(join(repository.directory, "..", "Pulumi.prod.yaml"), "");
  repository.commit();
  repository.write("prod-untracked", "# untracked\n");

  const found = await changedFiles(repository.directory, before);
  expect(found.present).toEqual(["changed", "moved", "new", "untracked"].map((name) => `Pulumi.prod-${name}.yaml`));
  expect([...found.deleted]).toEqual([
    ["Pulumi.prod-gone.yaml", "# prod-gone\n"],
    ["Pulumi.prod-renamed.yaml", "# prod-renamed\n"],
  ]);
});

test("does not report files that the other branch added later as deleted", async () => {
  const repository = scratchRepository();
  repository.write("prod-old", "# old\n");
  repository.commit();
  repository.git("switch", "-q", "-c", "topic");
  repository.write("prod-topic", "# topic\n");
  repository.commit();
  repository.git("switch", "-q", "main");
  repository.write("prod-others", "# others\n");
  repository.commit();
  repository.git("switch", "-q", "topic");

  const found = await changedFiles(repository.directory, "main");
  expect(found).toEqual({ present: ["Pulumi.prod-topic.yaml"], deleted: new Map() });
});

test("rejects an unknown commit with a remedy", async () => {
  const repository = scratchRepository();
  repository.commit();
  await expect(changedFiles(repository.directory, "nowhere")).rejects.toThrow("Fetch the whole history");
  await expect(changedFiles(repository.directory, "--output=x")).rejects.toThrow("is not a commit");
});
