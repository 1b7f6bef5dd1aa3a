import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** An error page of the vendor. */
export interface ErrorPage {
  status: number;
  /** The vendor's error number, such as 1102. */
  code?: number;
  title: string;
  detail: string;
  /** Seconds until a retry. */
  retryAfter?: number;
}

export const threwException: ErrorPage = {
  status: 500,
  code: 1101,
  title: "Worker threw exception",
  detail: "The Worker threw an exception. The log of the edge has it.",
};

export const lostResponse: ErrorPage = {
  status: 502,
  title: "Bad gateway",
  detail: "The Worker's process ended before it answered.",
};

export const timedOut: ErrorPage = {
  status: 524,
  title: "A timeout occurred",
  detail: "The Worker did not respond in time.",
};

/** Not an error of the vendor, which runs any number of Workers. */
export const busy: ErrorPage = {
  status: 503,
  title: "Too many Workers at once",
  detail: "All Workers that the edge may run at once are busy.",
  retryAfter: 5,
};

export const noRoute: ErrorPage = { status: 404, title: "Not found", detail: "No Worker route matches this address." };

/** Returns an id of a request in the vendor's format: sixteen hexadecimal digits and a data center. */
export function rayId(): string {
  return `${randomBytes(8).toString("hex")}-LOCAL`;
}

/** Sends `page`, or cuts the connection when the response has started. */
export function sendError(request: IncomingMessage, response: ServerResponse, page: ErrorPage): void {
  if (response.headersSent) return void response.destroy();
  const ray = headerOf(request, "cf-ray") ?? rayId();
  const isJson = (headerOf(request, "accept") ?? "").includes("application/json");
  const body = isJson ? toJson(page, ray) : toHtml(page, ray);
  response.writeHead(page.status, {
    "content-type": isJson ? "application/json" : "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "cf-ray": ray,
    ...(page.retryAfter === undefined ? {} : { "retry-after": String(page.retryAfter) }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function toJson(page: ErrorPage, ray: string): string {
  return JSON.stringify({
    status: page.status,
    title: `${errorLabel(page)}: ${page.title}`,
    detail: page.detail,
    ...(page.code === undefined ? {} : { error_code: page.code }),
    cloudflare_error: page.code !== undefined,
    ray_id: ray,
  });
}

function toHtml(page: ErrorPage, ray: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(page.title)}</title></head>
<body><h1>${errorLabel(page)}</h1><h2>${escapeHtml(page.title)}</h2><p>${escapeHtml(page.detail)}</p><p>Ray ID: ${escapeHtml(ray)}</p></body></html>
`;
}

const errorLabel = (page: ErrorPage) => `Error ${page.code ?? page.status}`;

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
