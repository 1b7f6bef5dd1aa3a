import { BookOpen, LogOut, type LucideIcon, Monitor, Moon, Plus, Sun } from "lucide-react";
import { chooseTheme } from "./start/theme.ts";

export interface Command {
  name: string;
  icon: LucideIcon;
  /** Further search terms. */
  words: string;
  run: () => void;
}

export const themeCommands: readonly Command[] = [
  { name: "System theme", icon: Monitor, words: "theme look light dark", run: () => chooseTheme("system") },
  { name: "Light theme", icon: Sun, words: "theme look bright", run: () => chooseTheme("light") },
  { name: "Dark theme", icon: Moon, words: "theme look night", run: () => chooseTheme("dark") },
];

export const referenceCommand: Command = {
  name: "API reference",
  icon: BookOpen,
  words: "documentation openapi",
  run: () => location.assign("/reference"),
};

export const logOutCommand: Command = {
  name: "Log out",
  icon: LogOut,
  words: "sign out leave",
  // Cloudflare Access serves this path.
  run: () => location.assign("/cdn-cgi/access/logout"),
};

export const paletteCommands = (goTo: (address: string) => void): readonly Command[] => [
  { name: "Create client", icon: Plus, words: "new add tenant", run: () => goTo("/clients/new") },
  // Reversed, because the terms of the other themes find the system theme too.
  ...themeCommands.toReversed(),
  referenceCommand,
  logOutCommand,
];
