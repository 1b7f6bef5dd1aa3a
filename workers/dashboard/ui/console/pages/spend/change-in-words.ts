/** How a figure changed from one period to the next. */
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";

export interface Change {
  name: string;
  before: number;
  after: number;
}

/** Such as `2.1 times as much`, `30 % less` or `new in this period`. */
export function changeInWords({ before, after }: Pick<Change, "before" | "after">): string {
  if (before === after) return "unchanged";
  if (before === 0) return "new in this period";
  if (after === 0) return "down to zero";
  const ratio = after / before;
  if (ratio >= 1.95) return `${formatNumber(Math.round(ratio * 10) / 10)} times as much`;
  const percent = Math.round(Math.abs(ratio - 1) * 100);
  if (percent === 0) return "almost unchanged";
  return `${formatNumber(percent)} % ${ratio > 1 ? "more" : "less"}`;
}

/** Returns the change with the largest difference; undefined if nothing changed. All must have the same unit. */
export function largestChange<C extends Change>(changes: readonly C[]): C | undefined {
  const size = ({ before, after }: Change) => Math.abs(after - before);
  return changes.filter((one) => size(one) > 0).toSorted((one, other) => size(other) - size(one))[0];
}

export const largestIncrease = <C extends Change>(changes: readonly C[]): C | undefined =>
  largestChange(changes.filter(({ before, after }) => after > before));
