import { consoleInboxRoutes } from "#workers/contracts/api/console/inbox.ts";
import { IDS } from "../examples.ts";
import { section } from "../section.ts";
import { deadMessage, NO_WORKER } from "../tenants/doors.ts";

const params = { slug: "acme" };

export const consoleInboxSection = section(
  consoleInboxRoutes,
  "Console: inbox",
  "An ADMIN of a tenant sees, replays, drops and exports the messages of its inbox. Each order is in the audit log.",
  {
    listConsoleInbox: {
      description:
        "Returns messages in the order of their receipt, by default pending and dead ones, and the state of the inbox as a whole. It does not wake the tenant.",
      params,
      query: { state: "dead" },
      answer: {
        data: [deadMessage],
        pagination: { next: null },
        inbox: { pending: 0, dead: 1, limit: 5000, oldest_at: null },
      },
      errors: { conflict: NO_WORKER },
    },
    replayConsoleInbox: {
      description:
        "Queues dead messages again, with the same event IDs: the named ones, or all. Messages in other states stay unchanged.",
      params,
      body: { ids: [IDS.message] },
      answer: { changed: 1 },
      errors: { conflict: NO_WORKER },
    },
    dropConsoleInbox: {
      description:
        "Deletes messages: the named ones if they are dead or queued, or all dead ones. You cannot undo this.",
      params,
      body: { all: true },
      answer: { changed: 1 },
      errors: { conflict: NO_WORKER },
    },
    exportConsoleInbox: {
      description:
        "Streams messages with their headers and bodies as newline-delimited JSON, oldest first, by default pending and dead ones.",
      params,
      query: { state: "dead" },
      errors: { conflict: NO_WORKER },
    },
  },
);
