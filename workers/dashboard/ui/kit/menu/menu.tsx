import { EllipsisVertical } from "lucide-react";
import { cloneElement, lazy, Suspense, useState } from "react";
import { Button } from "../button.tsx";
import type { MenuProps } from "./menu-list.tsx";

const loadMenuList = () => import("./menu-list.tsx");
const MenuList = lazy(loadMenuList);
/** Ignores a failure, because the click loads it again. */
const preloadMenuList = () => void loadMenuList().catch(() => undefined);

/** A button with a menu that loads when the button is pointed at or focused. */
export function Menu({ trigger, groups }: MenuProps) {
  const [isOpened, setOpened] = useState(false);
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: preloadMenuList,
    onFocus: preloadMenuList,
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

/** The menu of a row. @param props.of what its actions apply to, for its label */
export const ActionsMenu = ({
  of,
  busy = false,
  groups,
}: { of: string; busy?: boolean } & Pick<MenuProps, "groups">) => (
  <Menu
    trigger={
      <Button variant="ghost" small icon busy={busy} aria-label={`Actions for ${of}`}>
        {busy ? null : <EllipsisVertical aria-hidden="true" />}
      </Button>
    }
    groups={groups}
  />
);
