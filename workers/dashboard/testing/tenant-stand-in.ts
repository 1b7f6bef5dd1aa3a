/** What tenants' Workers answer to the dispatch Worker in tests of the dashboard. */
import { type Request, Response } from "miniflare";

export interface TenantStandIn {
  /** What was asked so far, as `METHOD worker path as role`. */
  asked: string[];
  /** Answers by path; a status and a body of JSON or bytes, or one that never comes. */
  answers: Map<string, { status?: number; body?: unknown } | Promise<never>>;
  answer(request: Request): Promise<Response>;
}

export function tenantStandIn(): TenantStandIn {
  const asked: string[] = [];
  const answers: TenantStandIn["answers"] = new Map();
  return {
    asked,
    answers,
    async answer(request) {
      const { pathname, search } = new URL(request.url);
      const path = `${pathname}${search}`;
      const worker = request.headers.get("test-worker");
      asked.push(`${request.method} ${worker} ${path} as ${request.headers.get("x-platform-role")}`);
      const { status = 200, body } = (await answers.get(path)) ?? { status: 404, body: {} };
      if (body instanceof Uint8Array) return new Response(body, { status });
      return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
    },
  };
}
