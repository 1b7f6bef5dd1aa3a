/** The API as an OpenAPI 3.1 document, generated from the schemas, texts and examples of its operations. */
import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { aiGateway } from "#domain/entities/ai-gateway.ts";
import { channel } from "#domain/entities/channel.ts";
import { client } from "#domain/entities/client.ts";
import { door } from "#domain/entities/door.ts";
import { egress, egressSecret, partnerEgress } from "#domain/entities/egress.ts";
import { image, workerBundle } from "#domain/entities/image.ts";
import { incident } from "#domain/entities/incident.ts";
import { instance } from "#domain/entities/instance.ts";
import { job } from "#domain/entities/job.ts";
import { partner } from "#domain/entities/partner.ts";
import { providerKey } from "#domain/entities/provider-key.ts";
import { rollout, rolloutTenant } from "#domain/entities/rollout.ts";
import { clientUser, user } from "#domain/entities/user.ts";
import { globalAnalytics, partnerSpend } from "#workers/contracts/api/analytics.ts";
import { auditEntry } from "#workers/contracts/api/audit.ts";
import { creditEntry, creditPool, invoice, invoiceSummary, price } from "#workers/contracts/api/billing.ts";
import { instanceHealth } from "#workers/contracts/api/instances/instance-health.ts";
import { partnerStyle } from "#workers/contracts/api/people/partners.ts";
import { session } from "#workers/contracts/api/people/session.ts";
import { ANYONE, admitsRoots, admitsTenantUsers, type Route } from "#workers/contracts/api/route.ts";
import { newClient } from "#workers/contracts/api/tenants/clients.ts";
import { egressHosts, egressLoss, egressTraffic } from "#workers/contracts/api/tenants/egress.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { errorResponses, hasIdempotencyKey } from "./errors.ts";
import { type Documented, describedDocument } from "./fields/described.ts";
import { introductionText, SUMMARY } from "./introduction.ts";
import type { Operation } from "./operations/section.ts";
import { sections } from "./operations/sections.ts";

/** Schemas with a name in the document. */
const schemas = {
  AiGateway: aiGateway,
  AuditEntry: auditEntry,
  Client: client,
  ClientPreview: newClient,
  ClientUser: clientUser,
  Credit: creditPool,
  CreditEntry: creditEntry,
  Error: errorBody,
  GlobalAnalytics: globalAnalytics,
  Image: image,
  Channel: channel,
  Door: door,
  Egress: egress,
  EgressHosts: egressHosts,
  EgressLoss: egressLoss,
  EgressSecret: egressSecret,
  EgressTraffic: egressTraffic,
  ProviderKey: providerKey,
  Incident: incident,
  Instance: instance,
  InstanceHealth: instanceHealth,
  Invoice: invoice,
  InvoiceSummary: invoiceSummary,
  Job: job,
  JsonValue: user.shape.cf_access_identity.unwrap().valueType,
  Partner: partner,
  PartnerEgress: partnerEgress,
  PartnerSpend: partnerSpend,
  PartnerStyle: partnerStyle,
  Price: price,
  Rollout: rollout,
  RolloutTenant: rolloutTenant,
  Session: session,
  User: user,
  Worker: workerBundle,
};

const PLATFORM = { url: "/", description: "The host of the dashboard." };
const TENANT = {
  url: consoleApi("{slug}"),
  description: "The same host, for users of a tenant.",
  variables: { slug: { default: "acme", description: "Slug of the tenant." } },
};
const OF_ROOTS = [{ accessHeader: [] }, { accessCookie: [] }];
const OF_TENANT_USERS = [{ consoleSession: [] }, { consoleCookie: [] }];

let cached: (Documented & Record<string, unknown>) | undefined;

export function openApiDocument(): Documented & Record<string, unknown> {
  cached ??= describedDocument(buildDocument() as unknown as Documented & Record<string, unknown>);
  return cached;
}

function buildDocument() {
  return createDocument(
    {
      openapi: "3.1.1",
      info: {
        title: "Tenantry API",
        version: "1.0.0-beta",
        summary: SUMMARY,
        description: introductionText(),
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [PLATFORM],
      security: [...OF_ROOTS],
      tags: sections.map(({ tag, title, description }) => ({ name: tag, description, "x-displayName": title })),
      paths: pathsOf(),
      components: {
        schemas,
        securitySchemes: {
          accessHeader: {
            type: "apiKey",
            in: "header",
            name: "cf-access-token",
            description: "A user's token of Cloudflare Access, for programs: `cloudflared access token --app=URL`.",
          },
          accessCookie: {
            type: "apiKey",
            in: "cookie",
            name: "CF_Authorization",
            description: "The same token as a cookie, which Cloudflare Access sets in browsers after login.",
          },
          consoleSession: {
            type: "http",
            scheme: "bearer",
            description:
              "The session of a program at a tenant: `token` of `POST https://TENANT/.tenantry/session`, sent with a service token of the tenant.",
          },
          consoleCookie: {
            type: "apiKey",
            in: "cookie",
            name: "__Host-tenantry-console-SLUG",
            description: "The session of a tenant's user, which the console sets in browsers after login.",
          },
        },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        // A format says the same in one word, and validators differ in properties of Unicode.
        if (jsonSchema.format !== undefined || jsonSchema.pattern?.includes("\\p{")) delete jsonSchema.pattern;
        // A later release may add fields to responses.
        if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    },
  );
}

/** Converts the path of a route to an OpenAPI path. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

function pathsOf(): ZodOpenApiPathsObject {
  const paths: Record<string, Partial<Record<Route["method"], ZodOpenApiOperationObject>>> = {};
  for (const operation of sections.flatMap(({ operations }) => operations)) {
    const { path, method } = operation.route;
    const template = templateOf(path);
    paths[template] = { ...paths[template], [method]: operationObject(operation) };
  }
  return paths;
}

function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const { id, route, description } = operation;
  const { tag, summary, callers } = route;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\n${rolesText(route)}`,
    ...loginOf(callers),
    "x-required-role": rolesOf(route),
    requestParams: {
      ...(route.params && { path: withExamples(route.params, operation.params) }),
      ...(route.query && { query: withExamples(route.query, operation.query) }),
    },
    parameters: headersOf(route).map(({ name, description, example }) => ({
      name,
      in: "header" as const,
      description,
      example,
      schema: { type: "string" as const },
    })),
    ...requestBody(operation),
    responses: { [String(statusOf(route))]: success(operation), ...errorResponses(operation) },
  };
}

/** Returns how callers log in, and the servers of an operation, where they differ from those of the API. */
function loginOf(callers: Route["callers"]): Pick<ZodOpenApiOperationObject, "security" | "servers"> {
  if (!admitsTenantUsers(callers)) return admitsRoots(callers) ? {} : { security: [] };
  if (!admitsRoots(callers)) return { security: OF_TENANT_USERS };
  return { security: [...OF_ROOTS, ...OF_TENANT_USERS], servers: [PLATFORM, TENANT] };
}

/** Roles of which the caller needs one; none for public routes. */
export const rolesOf = ({ callers }: Route): readonly string[] => (callers === ANYONE ? [] : callers);

function rolesText({ callers }: Route): string {
  if (callers === ANYONE) return "No login is required.";
  const roles = callers.filter((role) => role === "ADMIN" || role === "BASE_USER").map((role) => `\`${role}\``);
  const ofTenant = `the role ${roles.join(" or ")} of the tenant`;
  if (!admitsRoots(callers)) return `Requires a login at the console, with ${ofTenant}.`;
  const ofRoots = callers.includes("PARTNER_ROOT")
    ? "Requires the role `ROOT`, or `PARTNER_ROOT` for what belongs to the caller's partner."
    : "Requires the role `ROOT`.";
  if (roles.length === 0) return ofRoots;
  return `${ofRoots} Users with ${ofTenant} call it at \`${TENANT.url}\`, for their tenant.`;
}

export const statusOf = ({ status, answer, produces }: Route): number =>
  status ?? (answer === undefined && produces === undefined ? 204 : 200);

function withExamples({ shape }: z.ZodObject, examples: Readonly<Record<string, unknown>>): z.ZodObject {
  const fields = Object.entries(shape).map(([name, field]) => {
    const example = examples[name];
    const schema = field as z.ZodType;
    return [name, example === undefined ? schema : schema.meta({ ...schema.meta(), param: { example } })];
  });
  return z.object(Object.fromEntries(fields));
}

interface HeaderParameter {
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

/** Returns the headers of a request. */
function headersOf(route: Route): HeaderParameter[] {
  const ifMatch = {
    name: "If-Match",
    description: "`ETag` of the version to change. Another version fails with 412. Default: the current version.",
    example: '"5"',
  };
  const key = {
    name: "Idempotency-Key",
    description:
      "1 to 255 characters, unique per request. A repeated request with the same key gets the first response. Default: none.",
    example: "6f1d2c3b-4a59-4e68-97a0-1b2c3d4e5f60",
  };
  return [...(route.versioned && route.method !== "get" ? [ifMatch] : []), ...(hasIdempotencyKey(route) ? [key] : [])];
}

function requestBody({ route: { body, upload }, body: example }: Operation) {
  if (upload !== undefined) {
    const media = upload.types.map((type) => [type, { schema: BINARY }] as const);
    const description = `The file, at most ${upload.maxBytes / 1024} KiB.`;
    return { requestBody: { required: true, description, content: Object.fromEntries(media) } };
  }
  return body === undefined ? {} : { requestBody: { required: true, content: json(body, example) } };
}

function success({ route, answer: example }: Operation): ZodOpenApiResponseObject {
  const { answer, produces = [] } = route;
  const headers = responseHeaders(route);
  const media = Object.fromEntries(produces.map((type) => [type, { schema: isText(type) ? TEXT : BINARY }]));
  const content = answer === undefined ? media : json(answer, example);
  return {
    description: DESCRIPTIONS[statusOf(route)] ?? "Success.",
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted: a job or the service continues after the response.",
  204: "Success, without a body.",
};

const BINARY = { type: "string", format: "binary" } as const;
const TEXT = { type: "string" } as const;
const isText = (type: string) => type.startsWith("text/") || type.endsWith("ndjson");

const json = (schema: z.ZodType, example: unknown) => ({ "application/json": { schema, example } });

/** Returns the headers of a successful response. */
function responseHeaders(route: Route) {
  return {
    ...(hasEntityTag(route.answer) && {
      ETag: { description: "Version of the entity, for `If-Match`.", schema: TEXT, example: '"5"' },
    }),
    ...(hasIdempotencyKey(route) && {
      "Idempotency-Replayed": {
        description: "`true` for the stored response to an earlier request with the same key.",
        schema: TEXT,
        example: "true",
      },
    }),
  };
}

/** Whether a response has the numeric field `version`. */
function hasEntityTag(answer: z.ZodType | undefined): boolean {
  const schema = answer instanceof z.ZodNullable ? answer.unwrap() : answer;
  if (!(schema instanceof z.ZodObject)) return false;
  const { version } = schema.shape;
  return version instanceof z.ZodNumber;
}
