/** The API as an OpenAPI 3.1 document, generated from the schemas of its requests and responses. */
import type * as z from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { type ErrorCode, errorCodes } from "#domain/errors/codes.ts";
import { allRoutes } from "#workers/contracts/api/all-routes.ts";
import { ANYONE, type Route } from "#workers/contracts/api/route.ts";
import { errorBody } from "#workers/contracts/errors.ts";

/** Errors of every route. */
const ALWAYS: readonly ErrorCode[] = ["invalid_request", "tenant_unavailable", "internal"];
const WITH_CALLER: readonly ErrorCode[] = ["authentication_required", "access_denied", "forbidden"];

type Method = Route["method"];

let cached: Record<string, unknown> | undefined;

export function openApiDocument(): Record<string, unknown> {
  cached ??= createDocument({
    openapi: "3.1.1",
    info: {
      title: "Tenantry control plane",
      version: "1.0.0-beta",
      description:
        "Partners, clients, users, instances and the pool of AI gateways. Callers authenticate with Cloudflare Access; errors are `{ error: { code, message, details? } }`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ accessHeader: [] }, { accessCookie: [] }],
    tags: [...new Set(allRoutes.flatMap((routes) => Object.values(routes).map(({ tag }) => tag)))].map((name) => ({
      name,
    })),
    paths: pathsOf(),
    components: {
      securitySchemes: {
        accessHeader: { type: "apiKey", in: "header", name: "cf-access-token" },
        accessCookie: { type: "apiKey", in: "cookie", name: "CF_Authorization" },
      },
    },
  }) as unknown as Record<string, unknown>;
  return cached;
}

/** Converts the path of a route to an OpenAPI path. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

function pathsOf(): ZodOpenApiPathsObject {
  const paths: Record<string, Partial<Record<Method, ZodOpenApiOperationObject>>> = {};
  for (const routes of allRoutes) {
    for (const [name, route] of Object.entries(routes)) {
      const path = templateOf(route.path);
      paths[path] = { ...paths[path], [route.method]: operation(name, route) };
    }
  }
  return paths;
}

function operation(operationId: string, route: Route): ZodOpenApiOperationObject {
  const { tag, summary, params, query } = route;
  const headers = headersOf(route);
  return {
    operationId,
    tags: [tag],
    summary,
    description: callersOf(route),
    ...(route.callers === ANYONE && { security: [] }),
    requestParams: { ...(params && { path: params }), ...(query && { query }) },
    ...(headers.length > 0 && { parameters: headers }),
    ...requestBody(route),
    responses: responses(route),
  };
}

export function callersOf({ callers }: Route): string {
  if (callers === ANYONE) return "Public, without login.";
  return callers.includes("PARTNER_ROOT")
    ? "For platform roots, and for partner roots within their partner."
    : "Only for platform roots.";
}

function headersOf({ method, versioned, callers }: Route) {
  const header = (name: string, description: string) => ({
    name,
    in: "header" as const,
    description,
    schema: { type: "string" as const },
  });
  return [
    ...(versioned && method !== "get"
      ? [header("If-Match", "`ETag` of the version to change. Any other version is refused with 412.")]
      : []),
    ...(method === "post" && callers !== ANYONE
      ? [header("Idempotency-Key", "A repeated request with the same key returns the first response.")]
      : []),
  ];
}

function requestBody({ body, upload }: Route): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (upload !== undefined) {
    const media = upload.types.map((type) => [type, {}] as const);
    const description = `At most ${upload.maxBytes} bytes.`;
    return { requestBody: { required: true, description, content: Object.fromEntries(media) } };
  }
  return body === undefined ? {} : { requestBody: { required: true, content: json(body) } };
}

function responses(route: Route): ZodOpenApiResponsesObject {
  const { answer, produces, callers, refusals = [], params, versioned } = route;
  const status = route.status ?? (answer === undefined && produces === undefined ? 204 : 200);
  const media = Object.fromEntries((produces ?? []).map((type) => [type, {}]));
  const content = answer === undefined ? media : json(answer);
  const codes: ErrorCode[] = [
    ...ALWAYS,
    ...(callers === ANYONE ? [] : WITH_CALLER),
    ...(params === undefined ? [] : (["not_found"] as const)),
    ...(versioned ? (["precondition_failed"] as const) : []),
    ...(route.body || route.upload ? (["payload_too_large", "unsupported_media_type"] as const) : []),
    ...refusals,
  ];
  const refused = Object.fromEntries(
    codes.map((code) => {
      const names = new Set(codes.filter((other) => errorCodes[other].status === errorCodes[code].status));
      return [String(errorCodes[code].status), { description: [...names].join(", "), content: json(errorBody) }];
    }),
  );
  const done = { description: "Success.", ...(Object.keys(content).length > 0 && { content }) };
  return { ...refused, [String(status)]: done } as ZodOpenApiResponsesObject;
}

const json = (schema: z.ZodType) => ({ "application/json": { schema } });
