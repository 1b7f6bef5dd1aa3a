import type { HTMLAttributes, ReactElement, ReactNode } from "react";

export interface MenuItem {
  name: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  /** Why it cannot be done now. */
  about?: string | undefined;
  onSelect: () => void;
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<HTMLAttributes<HTMLElement>>;
  /** Groups of items; a line stands between them. */
  groups: readonly (readonly MenuItem[])[];
}
