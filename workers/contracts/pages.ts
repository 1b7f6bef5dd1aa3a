import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";

/** First path segments of the dashboard's pages. No route of the API starts with one. */
export const pageRoots = ["clients", "partners", "people", "gateways", "operations"] as const;

/**
 * Path of the files of dashboard and console, whose names change with their content. Public, because users of tenants do not log in at the
 * dashboard's host. No slug is a hyphen.
 */
export const PAGE_FILES_PATH = `${CONSOLE_PATH}/-`;

/** Last parts of the addresses of the console's pages; empty for the first page. */
export const consolePages = [
  "",
  "people",
  "service-tokens",
  "channels",
  "models",
  "backups",
  "files",
  "logs",
  "doctor",
  "network",
  "version",
  "billing",
  "notifications",
  "changes",
  "danger",
] as const;
export type ConsolePage = (typeof consolePages)[number];

/** The console's pages by the addresses that earlier releases gave them. */
export const formerConsolePages: Readonly<Record<string, ConsolePage>> = {
  messages: "channels",
  inbox: "channels",
  "model-keys": "models",
  "provider-keys": "models",
  "network-access": "network",
  egress: "network",
};

/** Whether a URL path belongs to a page. */
export function isPage(path: string): boolean {
  const [, root, ...below] = path.split("/");
  return (root === "" && below.length === 0) || pageRoots.some((page) => page === root);
}
