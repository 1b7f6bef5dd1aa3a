import type { ReactNode } from "react";
import { joinClasses } from "./classes.ts";

export type Tone = "good" | "busy" | "bad" | "info" | "quiet";

const TONES: Readonly<Record<Tone, string>> = {
  good: "bg-good-soft text-good",
  busy: "bg-busy-soft text-busy",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  quiet: "bg-sunken text-soft",
};

interface BadgeProps {
  tone?: Tone;
  children: ReactNode;
  title?: string | undefined;
}

export const Badge = ({ tone = "quiet", children, title }: BadgeProps) => (
  <span
    title={title}
    className={joinClasses(
      "inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap",
      TONES[tone],
    )}
  >
    <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
    {children}
  </span>
);
