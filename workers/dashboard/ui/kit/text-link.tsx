import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export interface TextLinkProps {
  to: string;
  children: ReactNode;
  "aria-label"?: string;
}

/** A link within text: known by its line, whatever colour is around it. */
export const TextLink = (props: TextLinkProps) => (
  <Link
    {...props}
    // Above a row that is a link as a whole.
    className="relative z-10 text-inherit underline decoration-line-strong underline-offset-2 hover:decoration-current"
  />
);
