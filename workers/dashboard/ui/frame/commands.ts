/** What can be done from anywhere, beside going to a page. */
import { BookOpen, LogOut, type LucideIcon, Monitor, Moon, Plus, Sun } from "lucide-react";
import { chooseTheme } from "./theme.ts";

export interface Command {
  name: string;
  icon: LucideIcon;
  /** What else it is looked for by. */
  words?: string;
  /** Does it; an address of a page where it is one. */
  does: string | (() => void);
}

/** Access's own (vendor: "Log out"). */
export const LOG_OUT_ADDRESS = "/cdn-cgi/access/logout";
export const REFERENCE_ADDRESS = "/reference";

export const commands: readonly Command[] = [
  { name: "New client", icon: Plus, words: "create add make tenant", does: "/clients/new" },
  { name: "Light", icon: Sun, words: "theme look bright", does: () => chooseTheme("light") },
  { name: "Dark", icon: Moon, words: "theme look night", does: () => chooseTheme("dark") },
  { name: "As the system", icon: Monitor, words: "theme look light dark", does: () => chooseTheme("system") },
  {
    name: "API reference",
    icon: BookOpen,
    words: "documentation openapi",
    does: () => location.assign(REFERENCE_ADDRESS),
  },
  { name: "Log out", icon: LogOut, words: "sign out leave", does: () => location.assign(LOG_OUT_ADDRESS) },
];
