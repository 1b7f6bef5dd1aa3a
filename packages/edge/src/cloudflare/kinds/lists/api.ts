import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import {
  ApiError,
  apiPart,
  numberedPage,
  readBody,
  recordFinder,
  successResponse,
  wholeList,
} from "../../api/operations.ts";
import { usersOf } from "../access/rules.ts";
import type { ListRecord } from "./record.ts";

const invalid = 2001;
const item = z.object({ value: z.string().min(1), description: z.string().exactOptional() });
const items = z.array(item);
/** Formats by type (developers.cloudflare.com/cloudflare-one/reusable-components/lists/). */
const formats: Readonly<Record<string, z.ZodType>> = {
  EMAIL: z.email(),
  IP: z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]),
  DOMAIN: z.hostname(),
  URL: z.url({ protocol: /^https?$/, hostname: z.regexes.domain }),
};
const newList = z.looseObject({
  name: z.string().min(1),
  type: z.enum(["EMAIL", "IP", "DOMAIN", "URL"]),
  description: z.string().default(""),
  items: items.default([]),
});
const listBody = z.looseObject({
  name: z.string().min(1),
  description: z.string().default(""),
  items: items.exactOptional(),
});
const listChange = z.looseObject({ append: items.default([]), remove: z.array(z.string()).default([]) });
type Item = z.infer<typeof item>;

const find = recordFinder("list", 2022, "Zero Trust list not found");

export const listsApi = apiPart({
  title: "Zero Trust lists",
  operations: {
    "POST /accounts/:account_id/gateway/lists": "zeroTrust.gateway.lists.create",
    "GET /accounts/:account_id/gateway/lists": "zeroTrust.gateway.lists.list",
    "GET /accounts/:account_id/gateway/lists/:id": "zeroTrust.gateway.lists.get",
    "PUT /accounts/:account_id/gateway/lists/:id": "zeroTrust.gateway.lists.update",
    "PATCH /accounts/:account_id/gateway/lists/:id": "zeroTrust.gateway.lists.edit",
    "DELETE /accounts/:account_id/gateway/lists/:id": "zeroTrust.gateway.lists.delete",
    "GET /accounts/:account_id/gateway/lists/:id/items": "zeroTrust.gateway.lists.items.list",
  },
  differs: [missing("Types EMAIL, IP, DOMAIN and URL.")],
  handlers: ({ limits, store }) => {
    const checkName = (name: string, id: string): void => {
      if (store.list("list").some((other) => other.name === name && other.id !== id)) {
        throw new ApiError(409, 2024, `A Zero Trust list named ${name} already exists`);
      }
    };
    const merged = (type: string, before: ListRecord["items"], given: Item[]): ListRecord["items"] => {
      const entries = new Map(before.map((one) => [one.value, one]));
      for (const one of given) {
        if (formats[type]?.safeParse(one.value).success !== true) {
          throw new ApiError(400, invalid, `items: ${one.value} is not a value of a list of type ${type}`);
        }
        entries.set(one.value, { ...one, created_at: entries.get(one.value)?.created_at ?? currentTimestamp() });
      }
      limits.check("zeroTrustListEntries", entries.size);
      return [...entries.values()];
    };
    const toResult = ({ items: entries, ...list }: ListRecord) => ({ ...list, count: entries.length });
    const withItems = (list: ListRecord) => ({ ...toResult(list), items: list.items });
    return {
      "POST /accounts/:account_id/gateway/lists": (call) => {
        const body = readBody(call, newList, invalid);
        const time = currentTimestamp();
        const list = {
          ...body,
          id: uuid(),
          items: merged(body.type, [], body.items),
          created_at: time,
          updated_at: time,
        };
        checkName(list.name, list.id);
        limits.check("zeroTrustLists", store.list("list").length + 1);
        store.put("list", list);
        return successResponse(list);
      },
      "GET /accounts/:account_id/gateway/lists": ({ query }) => {
        const type = query.get("type");
        const found = store.list("list").filter((list) => type === null || list.type === type);
        return wholeList(found.map(toResult));
      },
      "GET /accounts/:account_id/gateway/lists/:id": ({ params }) => successResponse(withItems(find(store, params.id))),
      "PUT /accounts/:account_id/gateway/lists/:id": (call) => {
        const list = find(store, call.params.id);
        const body = readBody(call, listBody, invalid);
        checkName(body.name, list.id);
        const kept =
          body.items === undefined
            ? list.items
            : list.items.filter((one) => body.items?.some((it) => it.value === one.value));
        const entries = merged(list.type, kept, body.items ?? []);
        const changed = {
          ...list,
          name: body.name,
          description: body.description,
          items: entries,
          updated_at: currentTimestamp(),
        };
        store.put("list", changed);
        return successResponse(withItems(changed));
      },
      "PATCH /accounts/:account_id/gateway/lists/:id": (call) => {
        const list = find(store, call.params.id);
        const { append, remove } = readBody(call, listChange, invalid);
        const left = list.items.filter((one) => !remove.includes(one.value));
        const changed = { ...list, items: merged(list.type, left, append), updated_at: currentTimestamp() };
        store.put("list", changed);
        return successResponse(withItems(changed));
      },
      "DELETE /accounts/:account_id/gateway/lists/:id": ({ params }) => {
        const { id } = find(store, params.id);
        const users = usersOf(store, "email_list", id);
        if (users.length > 0) {
          throw new ApiError(409, 2025, `The list is used by ${users.join(", ")}`);
        }
        store.delete("list", id);
        return successResponse({});
      },
      "GET /accounts/:account_id/gateway/lists/:id/items": ({ params, query }) =>
        numberedPage(find(store, params.id).items, query),
    };
  },
});
