/** Meanings of the fields of the console, which are those of the dashboard. */
import { doorTexts } from "./door-texts.ts";
import { providerKeyTexts } from "./provider-key-texts.ts";

/** Operations of the console, by those of operators. */
const OPERATIONS: Readonly<Record<string, string>> = {
  listInbox: "listConsoleInbox",
  replayInbox: "replayConsoleInbox",
  dropInbox: "dropConsoleInbox",
  exportInbox: "exportConsoleInbox",
  putProviderKey: "putConsoleProviderKey",
  deleteProviderKey: "deleteConsoleProviderKey",
};

export const consoleTexts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...doorTexts, ...providerKeyTexts }).flatMap(([key, text]) => {
    const [operation = "", ...field] = key.split(".");
    const own = OPERATIONS[operation];
    return own === undefined ? [] : [[[own, ...field].join("."), text]];
  }),
);
