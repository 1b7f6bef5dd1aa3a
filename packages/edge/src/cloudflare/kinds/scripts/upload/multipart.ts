import { ApiError, type Call } from "#cloudflare/api/operations.ts";

/** Parses a form whose boundary may be in the body only. @throws ApiError 400 for an invalid form */
export async function readForm({ body, headers }: Pick<Call, "body" | "headers">): Promise<FormData> {
  const declared = headers.get("Content-Type") ?? "";
  const type = /^multipart\/form-data;.*boundary=/i.test(declared) ? declared : typeFromBody(Buffer.from(body));
  if (type === undefined) {
    throw new ApiError(400, 10001, "The request body must be multipart/form-data.");
  }
  try {
    return await new Response(body, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new ApiError(400, 10001, "Could not parse the request body as multipart/form-data.");
  }
}

function typeFromBody(bytes: Buffer): string | undefined {
  const firstLine = bytes.subarray(0, bytes.indexOf("\r\n")).toString("latin1");
  const boundary = /^--([\w'()+,./:=?-]{1,70})$/.exec(firstLine)?.[1];
  return boundary === undefined ? undefined : `multipart/form-data; boundary=${boundary}`;
}

/** Reads an object from a JSON part, or from parts such as `name[bindings][][type]`, where a repeated field starts the next element. */
export async function readObject(form: FormData, name: string): Promise<unknown> {
  const whole = form.get(name);
  if (whole !== null) {
    const text = typeof whole === "string" ? whole : await whole.text();
    try {
      return JSON.parse(text);
    } catch {
      throw new ApiError(400, 10002, `Could not parse the part ${name} as JSON.`);
    }
  }
  const root: Container = {};
  let found = false;
  for (const [key, value] of form.entries()) {
    if (!key.startsWith(`${name}[`) || typeof value !== "string") continue;
    found = true;
    assignField(
      root,
      [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? ""),
      value,
    );
  }
  return found ? root : undefined;
}

interface Container {
  [field: string]: unknown;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether `path` can be assigned in `target` without overwriting. */
function isFree(target: Container, path: string[]): boolean {
  const [field = "", next, ...rest] = path;
  const present = target[field];
  if (present === undefined) return true;
  if (next === undefined) return false;
  if (next === "") return Array.isArray(present);
  return isContainer(present) && isFree(present, [next, ...rest]);
}

function assignField(target: Container, path: string[], value: string): void {
  const [field = "", next, ...rest] = path;
  if (next === undefined) {
    target[field] = parseScalar(field, value);
    return;
  }
  if (next !== "") {
    const child = isContainer(target[field]) ? target[field] : {};
    target[field] = child;
    assignField(child, [next, ...rest], value);
    return;
  }
  const list: unknown[] = Array.isArray(target[field]) ? target[field] : [];
  target[field] = list;
  if (rest.length === 0) {
    list.push(value);
    return;
  }
  const last = list.at(-1);
  if (isContainer(last) && isFree(last, rest)) {
    assignField(last, rest, value);
    return;
  }
  const element: Container = {};
  list.push(element);
  assignField(element, rest, value);
}

/** Forms have no types, and a variable can be the text `true`, so only known booleans are converted. */
const switches = new Set([
  ...["enabled", "invocation_logs", "keep_assets", "logpush", "persist"],
  ...["redact_query_string", "run_worker_first", "serve_directly"],
]);

function parseScalar(field: string, value: string): string | boolean {
  return switches.has(field) && (value === "true" || value === "false") ? value === "true" : value;
}
