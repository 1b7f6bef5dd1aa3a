import { isIPv4, isIPv6 } from "node:net";
import { lenient, missing, undocumented } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, hexId } from "#account/identifiers.ts";
import { ApiError, apiPart, numberedPage, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import type { DnsRecord } from "./record.ts";

const invalid = 1004;
const proxiable = ["A", "AAAA", "CNAME"];

const recordBody = z.looseObject({
  name: z.string().min(1).max(255),
  type: z.string().regex(/^[A-Z0-9]+$/),
  content: z.string().min(1),
  ttl: z.union([z.literal(1), z.int().min(30).max(86_400)]).default(1),
  proxied: z.boolean().default(false),
  priority: z.int().min(0).max(65_535).exactOptional(),
});
const recordChange = z.looseObject({
  name: recordBody.shape.name.exactOptional(),
  type: recordBody.shape.type.exactOptional(),
  content: recordBody.shape.content.exactOptional(),
  ttl: z.union([z.literal(1), z.int().min(30).max(86_400)]).exactOptional(),
  proxied: z.boolean().exactOptional(),
  priority: recordBody.shape.priority,
});
type RecordBody = z.infer<typeof recordBody>;

const HOST = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i;
/** Cloudflare documents the limit of a TXT record's content. */
const LONGEST_TEXT = 2_048;

interface RecordType {
  isValid: (record: RecordBody) => boolean;
  refusal: readonly [code: number, message: string];
}
const types: Readonly<Record<string, RecordType>> = {
  A: {
    isValid: ({ content }) => isIPv4(content),
    refusal: [9005, "Content for A record must be a valid IPv4 address."],
  },
  AAAA: {
    isValid: ({ content }) => isIPv6(content),
    refusal: [9006, "Content for AAAA record must be a valid IPv6 address."],
  },
  CNAME: { isValid: ({ content }) => HOST.test(content), refusal: [9007, "Content for CNAME record is invalid."] },
  MX: {
    isValid: ({ content, priority }) => HOST.test(content) && priority !== undefined,
    refusal: [invalid, "Content for MX record must be a host, with a priority."],
  },
  NS: { isValid: ({ content }) => HOST.test(content), refusal: [invalid, "Content for NS record must be a host."] },
  TXT: {
    isValid: ({ content }) => content.length <= LONGEST_TEXT,
    refusal: [invalid, `Content for TXT record must have at most ${LONGEST_TEXT} characters.`],
  },
};

function checkContent(record: RecordBody): void {
  const { type, proxied } = record;
  const known = Object.hasOwn(types, type) ? types[type] : undefined;
  if (known === undefined)
    throw new ApiError(400, invalid, `Not supported by the local edge: records of type ${type}.`);
  if (!known.isValid(record)) throw new ApiError(400, ...known.refusal);
  if (proxied && !proxiable.includes(type)) throw new ApiError(400, 9004, "This record type cannot be proxied.");
}

const find = recordFinder("dns_record", 81044, "Record does not exist.");

export const dnsRecordsApi = apiPart({
  title: "DNS records",
  operations: {
    "POST /zones/:zone_id/dns_records": "dns.records.create",
    "GET /zones/:zone_id/dns_records": "dns.records.list",
    "GET /zones/:zone_id/dns_records/:id": "dns.records.get",
    "PUT /zones/:zone_id/dns_records/:id": "dns.records.update",
    "PATCH /zones/:zone_id/dns_records/:id": "dns.records.edit",
    "DELETE /zones/:zone_id/dns_records/:id": "dns.records.delete",
  },
  differs: [
    missing("Records do not resolve."),
    lenient(
      "A route answers on a host without a DNS record.",
      "Every name below `localhost` is this machine, so no resolver decides.",
    ),
    missing("Types A, AAAA, CNAME, MX, NS and TXT."),
    undocumented("Codes of invalid contents, other than those of A, AAAA and CNAME."),
  ],
  handlers: (context) => {
    const { limits, store, domain } = context;
    const fullName = (name: string): string => {
      const lower = name.toLowerCase();
      if (lower === "@" || lower === domain) return domain;
      return lower.endsWith(`.${domain}`) ? lower : `${lower}.${domain}`;
    };
    const checkConflict = (record: RecordBody, id: string): void => {
      const others = store.list("dns_record").filter((other) => other.name === record.name && other.id !== id);
      if (others.some((other) => other.type === record.type && other.content === record.content)) {
        throw new ApiError(400, 81058, "An identical record already exists.");
      }
      const hosts = others.filter((other) => proxiable.includes(other.type));
      if (record.type === "CNAME" && hosts.length > 0) {
        throw new ApiError(400, 81053, "An A, AAAA, or CNAME record with that host already exists.");
      }
      if (proxiable.includes(record.type) && hosts.some((other) => other.type === "CNAME")) {
        throw new ApiError(400, 81054, "A CNAME record with that host already exists.");
      }
    };
    const save = (body: RecordBody, stamps: { id: string; created_on: string }): DnsRecord => {
      const named = { ...body, name: fullName(body.name) };
      checkContent(named);
      checkConflict(named, stamps.id);
      if (store.get("dns_record", stamps.id) === undefined) {
        limits.check("dnsRecords", store.list("dns_record").length + 1);
      }
      const record: DnsRecord = {
        ...named,
        ...stamps,
        zone_id: context.zoneId,
        ttl: named.proxied ? 1 : named.ttl,
        modified_on: currentTimestamp(),
      };
      store.put("dns_record", record);
      return record;
    };
    const toResult = ({ zone_id: _, ...record }: DnsRecord) => ({
      tags: [],
      settings: {},
      meta: {},
      ...record,
      proxiable: proxiable.includes(record.type),
    });
    return {
      "POST /zones/:zone_id/dns_records": (call) => {
        const body = readBody(call, recordBody, invalid);
        return successResponse(toResult(save(body, { id: hexId(), created_on: currentTimestamp() })));
      },
      "GET /zones/:zone_id/dns_records": ({ query }) => {
        const is = (field: "type" | "content", record: DnsRecord) =>
          (query.get(field) ?? query.get(`${field}.exact`) ?? record[field]) === record[field];
        const name = query.get("name") ?? query.get("name.exact");
        const found = store
          .list("dns_record")
          .filter(
            (record) =>
              (name === null || record.name === name.toLowerCase()) && is("type", record) && is("content", record),
          );
        return numberedPage(found.map(toResult), query);
      },
      "GET /zones/:zone_id/dns_records/:id": ({ params }) => successResponse(toResult(find(store, params.id))),
      "PUT /zones/:zone_id/dns_records/:id": (call) => {
        const { id, created_on } = find(store, call.params.id);
        return successResponse(toResult(save(readBody(call, recordBody, invalid), { id, created_on })));
      },
      "PATCH /zones/:zone_id/dns_records/:id": (call) => {
        const { zone_id: _, modified_on: __, ...record } = find(store, call.params.id);
        const change = readBody(call, recordChange, invalid);
        return successResponse(
          toResult(save({ ...record, ...change }, { id: record.id, created_on: record.created_on })),
        );
      },
      "DELETE /zones/:zone_id/dns_records/:id": ({ params }) => {
        const { id } = find(store, params.id);
        store.delete("dns_record", id);
        return successResponse({ id });
      },
    };
  },
});
