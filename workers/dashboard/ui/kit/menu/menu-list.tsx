import { Menu as Base } from "@base-ui/react/menu";
import type { HTMLAttributes, ReactElement, ReactNode } from "react";
import { joinClasses } from "../classes.ts";

export interface MenuItem {
  name: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  about?: string | undefined;
  onSelect: () => void;
}

export interface MenuProps {
  trigger: ReactElement<HTMLAttributes<HTMLElement>>;
  groups: readonly (readonly MenuItem[])[];
}

/** Opens at once, because the click that loads it asks for it. */
export default function MenuList({ trigger, groups }: MenuProps) {
  const shown = groups.filter((group) => group.length > 0);
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" className="z-70 outline-none">
          <Base.Popup className="min-w-52 rounded-lg border border-line bg-raised p-1 shadow-raised outline-none">
            {shown.map((group, index) => (
              <div key={group[0]?.name} role="presentation">
                {index === 0 ? null : <Base.Separator className="mx-1 my-1 h-px bg-line" />}
                {group.map((item) => (
                  <Base.Item
                    key={item.name}
                    disabled={item.disabled === true}
                    onClick={item.onSelect}
                    className={joinClasses(
                      "flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none select-none data-[disabled]:opacity-60 data-[highlighted]:bg-hover [&_svg]:size-4",
                      item.danger ? "text-bad" : "text-text",
                    )}
                  >
                    {item.icon}
                    <span>
                      {item.name}
                      {item.about === undefined ? null : <span className="block text-xs text-quiet">{item.about}</span>}
                    </span>
                  </Base.Item>
                ))}
              </div>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
