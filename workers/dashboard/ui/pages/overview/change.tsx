import { ArrowDownRight, ArrowRight, ArrowUpRight } from "lucide-react";

const SAME = 0.005;
/** From this ratio, a factor is clearer than a percentage. */
const MANY = 3;

const percents = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });
const factors = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

function changeOf(current: number, previous: number): { text: string; direction: "up" | "down" | "same" } {
  if (previous === 0 && current > 0) return { text: "None before", direction: "up" };
  if (previous === current) return { text: "No change", direction: "same" };
  const ratio = current / previous;
  if (Math.abs(ratio - 1) < SAME) return { text: "No change", direction: "same" };
  if (ratio >= MANY) return { text: `${factors.format(ratio)} times as much`, direction: "up" };
  return ratio > 1
    ? { text: `${percents.format(ratio - 1)} more`, direction: "up" }
    : { text: `${percents.format(1 - ratio)} less`, direction: "down" };
}

const ARROWS = { up: ArrowUpRight, down: ArrowDownRight, same: ArrowRight } as const;

export function Change({ current, previous }: { current: number; previous: number }) {
  const { text, direction } = changeOf(current, previous);
  const Arrow = ARROWS[direction];
  return (
    <span className="inline-flex items-center gap-1 text-xs whitespace-nowrap text-quiet">
      <Arrow aria-hidden="true" className="size-3.5" />
      {text}
    </span>
  );
}
