import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export const TextLink = (props: { to: string; search?: object; children: ReactNode; "aria-label"?: string }) => (
  <Link
    {...props}
    // Above the link of a whole row.
    className="relative z-10 text-inherit underline decoration-line-strong underline-offset-2 hover:decoration-current"
  />
);
