import { account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, withScript } from "#cloudflare/api/testing/case.ts";
import { cronTriggersApi } from "../api.ts";

export const cases: Case[] = [
  {
    part: cronTriggersApi,
    prepare: withScript,
    given: ["app"],
    update: (cloudflare, id) =>
      cloudflare.workers.scripts.schedules.update(id, { account_id, body: [{ cron: "* * * * *" }] }),
    updated: { schedules: [{ cron: "* * * * *" }] },
    read: (cloudflare, id) => cloudflare.workers.scripts.schedules.get(id, { account_id }),
    expected: () => ({ schedules: [] }),
    missing: { id: "nobody", status: 404, code: 10007 },
  },
];
