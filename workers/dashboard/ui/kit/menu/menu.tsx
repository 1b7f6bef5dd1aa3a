import { cloneElement, lazy, Suspense, useState } from "react";
import type { MenuProps } from "./menu-items.ts";

const load = () => import("./menu-list.tsx");
const MenuList = lazy(load);
/** What cannot be had yet is asked for again by the press. */
const loadAhead = () => void load().catch(() => undefined);

/** A button with a list of what it can do, which is loaded when the button is first gone to, and opens at the first press. */
export function Menu({ trigger, groups }: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: loadAhead,
    onFocus: loadAhead,
    onClick: () => setWanted(true),
    onKeyDown: (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      setWanted(true);
    },
  });
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuList trigger={trigger} groups={groups} />
    </Suspense>
  );
}
