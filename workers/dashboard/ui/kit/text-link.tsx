import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface TextLinkProps {
  to: string;
  search?: object;
  hash?: string;
  children: ReactNode;
  "aria-label"?: string;
}

export const TextLink = (props: TextLinkProps) => (
  <Link
    {...props}
    // Above the link of a whole row.
    className="relative z-10 text-inherit underline decoration-line-strong underline-offset-2 hover:decoration-current"
  />
);
