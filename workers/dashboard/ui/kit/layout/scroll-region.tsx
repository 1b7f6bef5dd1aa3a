import type { ReactNode } from "react";
import { joinClasses } from "../classes.ts";

interface ScrollRegionProps {
  label: string;
  className: string;
  children: ReactNode;
}

/** A scrollable region that the keyboard can reach. */
export const ScrollRegion = ({ label, className, children }: ScrollRegionProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard could not scroll it otherwise.
  <section aria-label={label} tabIndex={0} className={joinClasses("overflow-auto", className)}>
    {children}
  </section>
);
