import { cloneElement, lazy, Suspense, useState } from "react";
import type { MenuProps } from "./menu-list.tsx";

const load = () => import("./menu-list.tsx");
const MenuList = lazy(load);
/** Ignores a failure, because the click loads it again. */
const preload = () => void load().catch(() => undefined);

/** A button with a menu that loads when the button is pointed at or focused. */
export function Menu({ trigger, groups }: MenuProps) {
  const [isOpened, setOpened] = useState(false);
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setOpened(true),
    onKeyDown: (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      setOpened(true);
    },
  });
  if (!isOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuList trigger={trigger} groups={groups} />
    </Suspense>
  );
}
