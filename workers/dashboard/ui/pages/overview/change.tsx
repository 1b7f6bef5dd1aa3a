import { ArrowDownRight, ArrowRight, ArrowUpRight } from "lucide-react";

const SAME = 0.005;
/** From here on a factor tells more than a percentage. */
const MANY = 3;

const percents = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });
const factors = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** How a figure differs from the one of the period before: in words, beside an arrow. */
export function changeOf(current: number, previous: number): { words: string; way: "up" | "down" | "same" } {
  if (previous === 0) {
    return current === 0 ? { words: "none before either", way: "same" } : { words: "none before", way: "up" };
  }
  const ratio = current / previous;
  if (Math.abs(ratio - 1) < SAME) return { words: "as before", way: "same" };
  if (ratio >= MANY) return { words: `${factors.format(ratio)} times as much`, way: "up" };
  return ratio > 1
    ? { words: `${percents.format(ratio - 1)} more`, way: "up" }
    : { words: `${percents.format(1 - ratio)} less`, way: "down" };
}

const ARROWS = { up: ArrowUpRight, down: ArrowDownRight, same: ArrowRight } as const;

export function Change({ current, previous }: { current: number; previous: number }) {
  const { words, way } = changeOf(current, previous);
  const Arrow = ARROWS[way];
  return (
    <span className="inline-flex items-center gap-1 text-xs whitespace-nowrap text-quiet">
      <Arrow aria-hidden="true" className="size-3.5" />
      {words}
    </span>
  );
}
