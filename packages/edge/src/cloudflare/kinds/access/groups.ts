import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import { ApiError, apiPart, numberedPage, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import type { AccessGroupRecord } from "./records.ts";
import { accessRules, checkRules, invalidAccessRequest, rulesOf, usersOf } from "./rules.ts";

const groupBody = z.looseObject({
  name: z.string().min(1),
  include: accessRules.min(1),
  exclude: accessRules.default([]),
  require: accessRules.default([]),
});

const find = recordFinder("access_group", 12109, "access.api.error.group_not_found");

export const accessGroupsApi = apiPart({
  title: "Access groups",
  operations: {
    "POST /accounts/:account_id/access/groups": "zeroTrust.access.groups.create",
    "GET /accounts/:account_id/access/groups": "zeroTrust.access.groups.list",
    "GET /accounts/:account_id/access/groups/:id": "zeroTrust.access.groups.get",
    "PUT /accounts/:account_id/access/groups/:id": "zeroTrust.access.groups.update",
    "DELETE /accounts/:account_id/access/groups/:id": "zeroTrust.access.groups.delete",
  },
  handlers: ({ limits, store }) => {
    const toResult = ({ created_at: _, updated_at: __, ...group }: AccessGroupRecord) => group;
    const save = (body: z.infer<typeof groupBody>, id: string, created_at: string): Response => {
      if (store.list("access_group").some((other) => other.name === body.name && other.id !== id)) {
        throw new ApiError(409, 12132, "access.api.error.conflict: a group with this name already exists");
      }
      limits.check("accessName", body.name.length);
      limits.check("accessGroupRules", rulesOf(body).length);
      if (store.get("access_group", id) === undefined)
        limits.check("accessGroups", store.list("access_group").length + 1);
      checkRules(store, rulesOf(body));
      const group: AccessGroupRecord = { ...body, id, created_at, updated_at: currentTimestamp() };
      store.put("access_group", group);
      return successResponse(toResult(group));
    };
    return {
      "POST /accounts/:account_id/access/groups": (call) =>
        save(readBody(call, groupBody, invalidAccessRequest), uuid(), currentTimestamp()),
      "GET /accounts/:account_id/access/groups": ({ query }) => {
        const name = query.get("name");
        return numberedPage(
          store
            .list("access_group")
            .filter((group) => name === null || group.name === name)
            .map(toResult),
          query,
        );
      },
      "GET /accounts/:account_id/access/groups/:id": ({ params }) => successResponse(toResult(find(store, params.id))),
      "PUT /accounts/:account_id/access/groups/:id": (call) => {
        const { id, created_at } = find(store, call.params.id);
        return save(readBody(call, groupBody, invalidAccessRequest), id, created_at);
      },
      "DELETE /accounts/:account_id/access/groups/:id": ({ params }) => {
        const { id } = find(store, params.id);
        const users = usersOf(store, "group", id);
        if (users.length > 0) {
          const message = `access.api.error.group_in_use: used by ${users.join(", ")}`;
          throw new ApiError(400, 12133, message);
        }
        store.delete("access_group", id);
        return successResponse({ id });
      },
    };
  },
});
