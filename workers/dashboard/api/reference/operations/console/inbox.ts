import { consoleInboxRoutes } from "#workers/contracts/api/console/inbox.ts";
import { section } from "../section.ts";
import { INBOX } from "../tenants/doors.ts";

const params = { slug: "acme" };

export const consoleInboxSection = section(
  consoleInboxRoutes,
  "Console: inbox",
  "An ADMIN of a tenant sees, replays, drops and exports the messages of its inbox. Each order is in the audit log.",
  {
    listConsoleInbox: { ...INBOX.list, params },
    replayConsoleInbox: { ...INBOX.replay, params },
    dropConsoleInbox: {
      ...INBOX.drop,
      description:
        "Deletes messages: the named ones if they are dead or queued, or all dead ones. You cannot undo this.",
      params,
    },
    exportConsoleInbox: { ...INBOX.export, params },
  },
);
