import * as z from "zod";
import { currentTimestamp } from "#account/identifiers.ts";
import { ApiError, apiPart, readBody, successResponse } from "../../api/operations.ts";
import { findScript } from "../scripts/lookup.ts";

const field = /^[\dA-Z*/,#?LW-]+$/i;
const cron = z.string().refine((text) => {
  const fields = text.trim().split(/\s+/);
  return fields.length === 5 && fields.every((part) => field.test(part));
}, "is not a cron expression of five fields");
const body = z.array(z.looseObject({ cron }));

export const cronTriggersApi = apiPart({
  title: "Cron triggers",
  operations: {
    "PUT /accounts/:account_id/workers/scripts/:script_name/schedules": "workers.scripts.schedules.update",
    "GET /accounts/:account_id/workers/scripts/:script_name/schedules": "workers.scripts.schedules.get",
  },
  handlers: ({ limits, store }) => ({
    "PUT /accounts/:account_id/workers/scripts/:script_name/schedules": (call) => {
      const { name } = findScript(store, call.params);
      const wanted = readBody(call, body, 10100);
      const before = store.get("schedules", name)?.schedules ?? [];
      if (new Set(wanted.map((one) => one.cron)).size < wanted.length) {
        throw new ApiError(400, 10101, "Duplicate cron expressions.");
      }
      const others = store.list("schedules").filter(({ id }) => id !== name);
      limits.check(
        "cronTriggers",
        others.reduce((sum, one) => sum + one.schedules.length, wanted.length),
      );
      const time = currentTimestamp();
      const schedules = wanted.map(
        (one) => before.find((old) => old.cron === one.cron) ?? { cron: one.cron, created_on: time, modified_on: time },
      );
      if (schedules.length === 0) store.delete("schedules", name);
      else store.put("schedules", { id: name, schedules });
      return successResponse({ schedules });
    },
    "GET /accounts/:account_id/workers/scripts/:script_name/schedules": ({ params }) => {
      const { name } = findScript(store, params);
      return successResponse({ schedules: store.get("schedules", name)?.schedules ?? [] });
    },
  }),
});
