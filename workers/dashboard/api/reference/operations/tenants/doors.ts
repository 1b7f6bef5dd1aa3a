import { doorRoutes, type InboxEntry } from "#workers/contracts/api/tenants/doors.ts";
import { DOMAIN, door, IDS } from "../examples.ts";
import { section } from "../section.ts";

const ofInstance = { instance_id: IDS.instance };
const params = { id: IDS.door };
const NAME_IN_USE = "The instance already has a door with this name.";
const ROTATED = "2026-11-03T07:50:00.000Z";
const url = `https://hooks.${DOMAIN}/4fK9sT2mWc7RzXn1LpYdQ7xB`;
const generated = { secretToken: "Zr3mUq8vKp0sXt6wYb2nLd5fHj9cGa1eRi4oTu7yMk0" };

const deadMessage: InboxEntry = {
  id: IDS.message,
  door: { id: IDS.door, kind: "telegram", name: "support-bot" },
  event_id: "710382914",
  conversation: "48213377",
  state: "dead",
  bytes: 612,
  attempts: 8,
  received_at: "2026-11-03T07:20:00.000Z",
  changed_at: "2026-11-03T07:34:10.000Z",
  next_attempt_at: null,
  failure: { reason: "status", status: 401 },
};

const errors = { conflict: "The tenant has no Worker, or its Worker is of a version without an inbox." };
const answer = { changed: 1 };

/** Operations of an inbox, without the parameters of the path. */
export const INBOX = {
  list: {
    description:
      "Returns messages in the order of their receipt, by default pending and dead ones, and the state of the inbox as a whole. It does not wake the tenant.",
    query: { state: "dead" as const },
    answer: {
      data: [deadMessage],
      pagination: { next: null },
      inbox: { pending: 0, dead: 1, limit: 5000, oldest_at: null },
    },
    errors,
  },
  replay: {
    description:
      "Queues dead messages again, with the same event IDs: the named ones, or all. Messages in other states stay unchanged.",
    body: { ids: [IDS.message] },
    answer,
    errors,
  },
  drop: { body: { all: true as const }, answer, errors },
  export: {
    description:
      "Streams messages with their headers and bodies as newline-delimited JSON, oldest first, by default pending and dead ones.",
    query: { state: "dead" as const },
    errors,
  },
};

export const doorSection = section(
  doorRoutes,
  "Doors and inbox",
  "A door is a public webhook endpoint of an instance, for a vendor such as Telegram or GitHub. The platform verifies each request, stores it in the inbox of the tenant, wakes the tenant, and delivers it to the gateway.",
  {
    listDoors: {
      description:
        "Returns the doors of an instance, oldest first, with the number that its plan allows. Neither keys nor secrets are returned, only the end of the key and the names of the secrets.",
      params: ofInstance,
      answer: { data: [{ ...door, last_used_at: "2026-11-03T07:20:00.000Z" }], limit: 10 },
    },
    createDoor: {
      description: `Creates a door and returns its URL and the secrets that the platform generated. They are returned only once: enter them at the vendor. Pass the secrets that the vendor issues, such as Slack's \`signingSecret\`. A door of the kind \`openclaw\` has the paths \`/agent\` and \`/wake\` below its URL.`,
      params: ofInstance,
      body: { kind: "telegram", name: "support-bot" },
      answer: { ...door, url, generated },
      errors: { conflict: NAME_IN_USE },
    },
    updateDoor: {
      description:
        "Renames a door, or disables or enables it. A disabled door refuses every request with 404, within a minute everywhere. Messages in the inbox are still delivered.",
      params,
      body: { state: "disabled" },
      answer: { ...door, state: "disabled", updated_at: ROTATED, version: 2 },
      errors: { conflict: NAME_IN_USE },
    },
    deleteDoor: {
      description:
        "Deletes a door. Its URL refuses every request within a minute. Messages in the inbox are still delivered. This cannot be undone.",
      params,
    },
    rotateDoor: {
      description:
        "Replaces the key or the secrets of a door, and returns the new URL or the generated secrets once. The former ones are accepted for 24 hours, or as long as `expire_former_in_seconds` says; with 0 they are refused within a minute. Those of an earlier rotation are refused within a minute, too.",
      params,
      body: { what: "key", expire_former_in_seconds: 3600 },
      answer: {
        ...door,
        former_key_until: "2026-11-03T08:50:00.000Z",
        ...{ rotated_at: ROTATED, updated_at: ROTATED, version: 2, url, generated: {} },
      },
    },
    listInbox: { ...INBOX.list, params: ofInstance },
    replayInbox: { ...INBOX.replay, params: ofInstance },
    dropInbox: {
      ...INBOX.drop,
      description:
        "Deletes messages: the named ones if they are dead or queued, or all dead ones. Their event IDs stay, so that the vendor's retries are ignored. This cannot be undone.",
      params: ofInstance,
    },
    exportInbox: { ...INBOX.export, params: ofInstance },
  },
);
