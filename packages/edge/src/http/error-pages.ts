/** The vendor's error pages, as HTML or JSON, by what the client accepts. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface ErrorPage {
  status: number;
  /** The vendor's error number, such as 1102. */
  code?: number;
  title: string;
  detail: string;
  /** Seconds after which it is worth another try. */
  retryAfter?: number;
}

export const exceededCpu: ErrorPage = {
  status: 503,
  code: 1102,
  title: "Worker exceeded resource limits",
  detail: "A Worker used more CPU time than it may.",
};

export const threwException: ErrorPage = {
  status: 500,
  code: 1101,
  title: "Worker threw exception",
  detail: "An exception was thrown by the Worker and not caught. The local edge's log holds it.",
};

export const lostAnswer: ErrorPage = {
  status: 502,
  title: "Bad gateway",
  detail: "The Worker's process ended before it answered.",
};

export const timedOut: ErrorPage = {
  status: 524,
  title: "A timeout occurred",
  detail: "The Worker did not answer in time.",
};

/** The local edge's own: the vendor has room for any number of Workers. */
export const busy: ErrorPage = {
  status: 503,
  title: "Too many Workers at once",
  detail: "All Workers that the local edge may run at once are busy.",
  retryAfter: 5,
};

export const noRoute: ErrorPage = {
  status: 404,
  title: "Not found",
  detail: "No Worker route of the local edge matches this address.",
};

/** The vendor's id of a request: sixteen hexadecimal digits and a place. */
export function rayId(): string {
  return `${randomBytes(8).toString("hex")}-LOCAL`;
}

/** Sends `page`, unless an answer has begun; then the connection is cut. */
export function sendError(request: IncomingMessage, response: ServerResponse, page: ErrorPage): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const ray = header(request, "cf-ray") ?? rayId();
  const json = (header(request, "accept") ?? "").includes("application/json");
  const body = json ? asJson(page, ray) : asHtml(page, ray);
  response.writeHead(page.status, {
    "content-type": json ? "application/json" : "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "cf-ray": ray,
    ...(page.retryAfter === undefined ? {} : { "retry-after": String(page.retryAfter) }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function asJson(page: ErrorPage, ray: string): string {
  return JSON.stringify({
    status: page.status,
    title: `${label(page)}: ${page.title}`,
    detail: page.detail,
    ...(page.code === undefined ? {} : { error_code: page.code }),
    cloudflare_error: page.code !== undefined,
    ray_id: ray,
  });
}

function asHtml(page: ErrorPage, ray: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(page.title)}</title></head>
<body><h1>${label(page)}</h1><h2>${escaped(page.title)}</h2><p>${escaped(page.detail)}</p><p>Ray ID: ${escaped(ray)}</p></body></html>
`;
}

function label(page: ErrorPage): string {
  return `Error ${page.code ?? page.status}`;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function escaped(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
