import { admitsRoots, isOfConsole } from "#workers/contracts/api/route.ts";
import { hasIdempotencyKey } from "./errors.ts";
import type { Operation } from "./operations/section.ts";

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a command that sends an operation's example. @param origin of the API */
export function curlCommand({ route, params, query, body }: Operation, origin: string): string {
  const { method, callers, upload, versioned } = route;
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? name)));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const url = `${origin}${path}${search === "" ? "" : `?${search}`}`;
  const options = [
    ...(method === "get" ? [] : [`-X ${method.toUpperCase()}`]),
    ...(admitsRoots(callers) ? ['-H "cf-access-token: $TOKEN"'] : []),
    ...(isOfConsole(callers) ? ['-H "authorization: Bearer $SESSION"'] : []),
    ...(versioned && method !== "get" ? [`-H 'If-Match: "5"'`] : []),
    ...(hasIdempotencyKey(route) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(upload === undefined
      ? []
      : [
          `-H "content-type: ${upload.types[0]}"`,
          `--data-binary @${upload.types[0] === "application/gzip" ? "backup.tar.gz" : "logo.png"}`,
        ]),
    ...(body === undefined
      ? []
      : ['-H "content-type: application/json"', `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return [`curl ${/[?&]/.test(url) ? quoted(url) : url}`, ...options].join(" \\\n  ");
}
