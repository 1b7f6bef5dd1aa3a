import { expect, test } from "vitest";
import { scratchRepository } from "../testing/repository.ts";
import { findTargets } from "./target.ts";
import { readTarget } from "./target-content.ts";

const declaring = (...slugs: string[]) =>
  JSON.stringify({
    config: {
      "tenantry:platformStack": "prod",
      "tenantry:clients": slugs.map((slug) => ({ slug, name: slug, plan: "free" })),
    },
  });

test("finds all, named or changed stacks, with removals last", async () => {
  const repository = scratchRepository();
  const { directory } = repository;
  repository.write("a", declaring("a"));
  repository.write("c", declaring("c"));
  const since = repository.commit();
  repository.remove("a");
  repository.write("b", declaring("b"));
  const names = async (args: { since?: string; stacks?: string[] }) =>
    (await findTargets({ directory, since: undefined, stacks: [], ...args })).map(({ stack, removal }) =>
      removal ? `-${stack}` : stack,
    );
  expect(await names({})).toEqual(["b", "c"]);
  expect(await names({ since })).toEqual(["b", "-a"]);
  expect(await names({ stacks: ["c"] })).toEqual(["c"]);
  await expect(names({ stacks: ["z"] })).rejects.toThrow("does not exist");
  await expect(names({ since, stacks: ["c"] })).rejects.toThrow("did not change since");
});

test("rejects the removal of a tenant that another file declares", async () => {
  const repository = scratchRepository();
  repository.write("prod-acme", declaring("acme", "other"));
  const since = repository.commit();
  repository.remove("prod-acme");
  repository.write("prod-many", declaring("many", "acme"));
  repository.write("broken", "{");
  const found = await findTargets({ directory: repository.directory, since, stacks: ["prod-acme"] });
  expect(found).toMatchObject([{ removal: true, moved: ["acme (Pulumi.prod-many.yaml)"] }]);
  const [target] = found;
  expect(() => target && readTarget(target)).toThrow("npm run fleet -- move SLUG --to STACK");
});
