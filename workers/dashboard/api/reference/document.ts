/** The API as an OpenAPI 3.1 document, made of the schemas that requests and answers are checked with. */
import type * as z from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { allRoutes } from "#workers/contracts/api/all-routes.ts";
import { ANYONE, type Route } from "#workers/contracts/api/route.ts";
import { type ErrorCode, errorBody, errorStatus } from "#workers/contracts/errors.ts";

/** What any route may refuse with, whoever asks. */
const ALWAYS: readonly ErrorCode[] = ["invalid_request", "tenant_unavailable", "internal"];
const WITH_CALLER: readonly ErrorCode[] = ["authentication_required", "access_denied", "forbidden"];

type Method = Route["method"];

let made: Record<string, unknown> | undefined;

/** The document, made once an isolate. */
export function openApiDocument(): Record<string, unknown> {
  made ??= createDocument({
    openapi: "3.1.1",
    info: {
      title: "Tenantry control plane",
      version: "1.0.0-beta",
      description:
        "Partners, clients, users, instances and the pool of AI gateways. Callers log in through Cloudflare Access; errors are `{ error: { code, message, details? } }`.",
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
  return made;
}

/** An OpenAPI path of a route's: its parameters in braces. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

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

/** Who may call a route, as a sentence. */
export function callersOf({ callers }: Route): string {
  if (callers === ANYONE) return "For anyone, without a log-in.";
  return callers.includes("PARTNER_ROOT")
    ? "For platform roots, and for partner roots within their partner."
    : "For platform roots alone.";
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
      ? [header("If-Match", "The `ETag` of what was read: anything else that is there now is not changed.")]
      : []),
    ...(method === "post" && callers !== ANYONE
      ? [header("Idempotency-Key", "The same request under the same key is carried out once.")]
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
      const names = new Set(codes.filter((other) => errorStatus[other] === errorStatus[code]));
      return [String(errorStatus[code]), { description: [...names].join(", "), content: json(errorBody) }];
    }),
  );
  const done = { description: "Done.", ...(Object.keys(content).length > 0 && { content }) };
  return { ...refused, [String(status)]: done } as ZodOpenApiResponsesObject;
}

const json = (schema: z.ZodType) => ({ "application/json": { schema } });
