import type { LimitOverrides } from "./edge-limits.ts";
import { type EdgeLimit, ENFORCEMENT } from "./enforcement.ts";

const PATTERN = /^(\w+)=(\d+)$/;

/** Parses the variable `EDGE_LIMITS`, such as `apiRequests=100000,scripts=2`. @throws Error for an unknown limit or an invalid value */
export function limitsOf(variable: string | undefined): LimitOverrides {
  const entries = (variable ?? "").split(",").filter((entry) => entry.trim() !== "");
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name = "", value] = PATTERN.exec(entry.trim()) ?? [];
      if (!isEdgeLimit(name)) {
        throw new Error(
          `EDGE_LIMITS has the invalid entry "${entry}". Write NAME=NUMBER, with a name of packages/edge/src/limits/enforcement.ts.`,
        );
      }
      return [name, Number(value)];
    }),
  );
}

const isEdgeLimit = (name: string): name is EdgeLimit =>
  Object.entries(ENFORCEMENT).some(([known, how]) => known === name && how === "edge");
