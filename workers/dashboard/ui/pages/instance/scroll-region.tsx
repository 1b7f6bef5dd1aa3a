import type { ReactNode } from "react";
import { classes } from "../../kit/classes.ts";

/** What may be longer than its room, and is scrolled by the keyboard too. */
export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll there.
    <section aria-label={label} tabIndex={0} className={classes("overflow-auto", className)}>
      {children}
    </section>
  );
}
