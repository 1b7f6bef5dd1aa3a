/**
 * Orders test files: those that use much processor time beside those that wait. Unit tests come last, because vitest ends its workers, with
 * all loaded modules, between two projects.
 */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that run the engine or a whole platform. */
const BUSY = /^(tests|stack\/provider|local\/start|packages\/edge\/src\/cloudflare\/plugin)\//;

/** The longest files, which begin first when durations of an earlier run are missing. */
const LONGEST = [
  "tests/docs/pages.test.ts",
  "tests/upgrade/upgrade.test.ts",
  "tests/fleet/rotation.test.ts",
  "tests/provisioning/provisioning.test.ts",
  "tests/provisioning/rollouts.test.ts",
  "tests/fleet/dump.test.ts",
  "tests/lifecycle/redeploy.test.ts",
  "tests/fleet/adoption.test.ts",
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

/** Merges two lists in their order, each spread over the whole. */
function interleaved<Item>(some: readonly Item[], others: readonly Item[]): Item[] {
  const spread = (items: readonly Item[]) => items.map((item, index) => ({ item, at: (index + 0.5) / items.length }));
  return [...spread(some), ...spread(others)].toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
