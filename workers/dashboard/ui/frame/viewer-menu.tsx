import { BookOpen, LogOut, Monitor, Moon, Sun } from "lucide-react";
import type { Viewer } from "../api/session.ts";
import { Menu } from "../kit/menu/menu.tsx";
import { LOG_OUT_ADDRESS, REFERENCE_ADDRESS } from "./commands.ts";
import { chooseTheme } from "./theme.ts";
import { ViewerButton } from "./viewer-button.tsx";

export function ViewerMenu({ viewer }: { viewer: Viewer }) {
  return (
    <Menu
      trigger={<ViewerButton viewer={viewer} />}
      groups={[
        [
          { name: "As the system", icon: <Monitor aria-hidden="true" />, onSelect: () => chooseTheme("system") },
          { name: "Light", icon: <Sun aria-hidden="true" />, onSelect: () => chooseTheme("light") },
          { name: "Dark", icon: <Moon aria-hidden="true" />, onSelect: () => chooseTheme("dark") },
        ],
        [
          {
            name: "API reference",
            icon: <BookOpen aria-hidden="true" />,
            onSelect: () => location.assign(REFERENCE_ADDRESS),
          },
        ],
        [
          {
            name: "Log out",
            about: viewer.user.email,
            icon: <LogOut aria-hidden="true" />,
            onSelect: () => location.assign(LOG_OUT_ADDRESS),
          },
        ],
      ]}
    />
  );
}
