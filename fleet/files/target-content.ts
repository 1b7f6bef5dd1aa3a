/** What a target's file says, as far as its run asks: a deleted one is not checked any more. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import type { ClientSettings } from "#stack/settings/settings.ts";
import { readLoosely, readStackFile, type StackFile } from "./stack-file.ts";
import type { Target } from "./target.ts";

export interface FileContent extends Pick<StackFile, "config" | "encryption"> {
  /** None of a deleted file. */
  clients: readonly ClientSettings[];
}

const said = z.object({
  "tenantry:environment": z.enum(environments).catch("production").default("production"),
  "tenantry:backupBeforeRedeploy": z.boolean().catch(true).default(true),
});

/** @throws Error with one sentence, or a line a fault */
export function readTarget({ stack, file, text, removal, moved }: Target): FileContent {
  if (moved.length > 0) {
    throw new Error(
      `${file} was deleted, and its tenants are declared elsewhere: ${moved.join(", ")}. To destroy them and make them anew is not what ` +
        "a move is: have the file back, take the other declarations out, and give each to its new stack by npm run fleet -- move SLUG --to STACK",
    );
  }
  if (removal) return { ...readLoosely(stack, text), clients: [] };
  const { config, encryption, settings } = readStackFile(stack, text);
  return { config, encryption, clients: settings.clients };
}

/** When tenants are backed up before their containers end: when they go, in production alone, since elsewhere their buckets go too. */
export function backsUp({ config }: FileContent): { backsUp: boolean; backsUpRemoved: boolean } {
  const { "tenantry:environment": environment, "tenantry:backupBeforeRedeploy": asked } = said.parse(config);
  return { backsUp: asked, backsUpRemoved: asked && environment === "production" };
}
