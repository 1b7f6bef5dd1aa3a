import { UserRound } from "lucide-react";
import type { Viewer } from "../api/session.ts";
import { Button, type ButtonProps } from "../kit/button.tsx";
import { Menu } from "../kit/menu/menu.tsx";
import type { MenuItem } from "../kit/menu/menu-list.tsx";
import { type Command, logOutCommand, referenceCommand, themeCommands } from "./commands.ts";

interface ViewerMenuProps {
  viewer: Viewer;
  /** Default: those of the dashboard. */
  links?: readonly Command[];
  logOut?: Command;
}

export const ViewerMenu = ({ viewer, links = [referenceCommand], logOut = logOutCommand }: ViewerMenuProps) => (
  <Menu
    trigger={<ViewerButton viewer={viewer} />}
    groups={[
      themeCommands.map(menuItemOf),
      links.map(menuItemOf),
      [{ ...menuItemOf(logOut), about: viewer.user.email }],
    ]}
  />
);

const ViewerButton = ({ viewer: { user }, ...rest }: { viewer: Viewer } & ButtonProps) => (
  <Button {...rest} variant="ghost" aria-label={`Account: ${user.name || user.email}`} className="max-w-64">
    <UserRound aria-hidden="true" />
    <span className="hidden truncate sm:inline">{user.name || user.email}</span>
  </Button>
);

const menuItemOf = ({ name, icon: Icon, run }: Command): MenuItem => ({
  name,
  icon: <Icon aria-hidden="true" />,
  onSelect: run,
});
