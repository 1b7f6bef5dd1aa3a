import type { Viewer } from "../api/session.ts";
import { Menu } from "../kit/menu/menu.tsx";
import type { MenuItem } from "../kit/menu/menu-items.ts";
import { type Command, logOutCommand, referenceCommand, themeCommands } from "./commands.ts";
import { ViewerButton } from "./viewer-button.tsx";

export function ViewerMenu({ viewer }: { viewer: Viewer }) {
  return (
    <Menu
      trigger={<ViewerButton viewer={viewer} />}
      groups={[
        themeCommands.map(item),
        [item(referenceCommand)],
        [{ ...item(logOutCommand), about: viewer.user.email }],
      ]}
    />
  );
}

const item = ({ name, icon: Icon, run }: Command): MenuItem => ({
  name,
  icon: <Icon aria-hidden="true" />,
  onSelect: run,
});
