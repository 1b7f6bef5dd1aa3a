/**
 * The order of test files: those that keep the processors busy beside those that mostly wait, so that both are used to the end. Unit
 * tests come last, as vitest ends its workers, with all modules that they have loaded, where one project's files follow another's.
 */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that run the engine, or a whole platform. */
const BUSY = /^(tests|provider|local\/(start|cloudflare\/plugin))\//;

/** The longest, begun first where no earlier run tells how long each takes. */
const LONGEST = [
  "tests/fleet/rotation.test.ts",
  "tests/upgrade/upgrade.test.ts",
  "tests/provisioning/provisioning.test.ts",
  "tests/fleet/adoption.test.ts",
  "tests/errors/database-errors.test.ts",
  "tests/lifecycle/redeploy.test.ts",
];

export class RunOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isUnit = ({ project }: TestSpecification) => project.name === "unit";
    const integration = sorted.filter((file) => !isUnit(file));
    const isBusy = (file: TestSpecification) => BUSY.test(pathOf(file));
    const longest = (file: TestSpecification) => {
      const index = LONGEST.indexOf(pathOf(file));
      return index === -1 ? LONGEST.length : index;
    };
    const busy = integration.filter(isBusy).toSorted((a, b) => longest(a) - longest(b));
    const waiting = integration.filter((file) => !isBusy(file));
    return [...interleaved(busy, waiting), ...sorted.filter(isUnit)];
  }
}

const pathOf = ({ moduleId, project }: TestSpecification) => relative(project.config.root, moduleId);

/** Both in their order, each spread over the whole. */
function interleaved<Item>(some: readonly Item[], others: readonly Item[]): Item[] {
  const spread = (items: readonly Item[]) => items.map((item, index) => ({ item, at: (index + 0.5) / items.length }));
  return [...spread(some), ...spread(others)].toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
