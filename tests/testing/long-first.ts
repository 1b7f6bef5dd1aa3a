import { relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Rooms whose files take longest, so that none of them is left to the end where no run before tells how long each takes. */
const LONG_FIRST = ["tests", "provider", "workers", "local"];

/** Begins with the longest files. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const [room = ""] = relative(project.config.root, moduleId).split(sep);
      const index = LONG_FIRST.indexOf(room);
      return index === -1 ? LONG_FIRST.length : index;
    };
    const known = files.filter((file) => this.ctx.cache.getTestSpecificationResult(file) !== undefined);
    const sorted = await super.sort(files);
    return known.length === files.length ? sorted : sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
