/** What can be done from anywhere, beside going to a page. */
import { BookOpen, LogOut, type LucideIcon, Monitor, Moon, Plus, Sun } from "lucide-react";
import { chooseTheme } from "./theme.ts";

export interface Command {
  name: string;
  icon: LucideIcon;
  /** What else it is looked for by. */
  words: string;
  run: () => void;
}

export const themeCommands: readonly Command[] = [
  { name: "As the system", icon: Monitor, words: "theme look light dark", run: () => chooseTheme("system") },
  { name: "Light", icon: Sun, words: "theme look bright", run: () => chooseTheme("light") },
  { name: "Dark", icon: Moon, words: "theme look night", run: () => chooseTheme("dark") },
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
  // Access's own (vendor: "Log out").
  run: () => location.assign("/cdn-cgi/access/logout"),
};

/** @param goTo goes to a page of ours */
export const commandsWith = (goTo: (address: string) => void): readonly Command[] => [
  { name: "New client", icon: Plus, words: "create add make tenant", run: () => goTo("/clients/new") },
  // The system's last, which is found by the others' words too.
  ...themeCommands.toReversed(),
  referenceCommand,
  logOutCommand,
];
