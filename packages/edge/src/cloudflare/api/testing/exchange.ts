import { readForm, readObject } from "../../kinds/scripts/upload/multipart.ts";
import { apiParts } from "../../kinds.ts";

export interface Exchange {
  route: string;
  method: string | undefined;
  path: Readonly<Record<string, string>>;
  /** With headers that are parameters. */
  query: Readonly<Record<string, unknown>>;
  /** JSON, or the objects and values of a form. */
  body: unknown;
  status: number;
  /** Undefined for responses without the envelope. */
  envelope: Readonly<Record<string, unknown>> | undefined;
}

const operations = apiParts
  .flatMap((part) => Object.entries(part.operations))
  .map(([route, method]) => {
    const [verb = "", pattern = ""] = route.split(" ");
    const source = pattern.replace(/:(\w+)(\{\.\+\})?/g, (_, name: string, rest?: string) =>
      rest === undefined ? `(?<${name}>[^/]+)` : `(?<${name}>.+)`,
    );
    return { route, method: method === "-" ? undefined : method, verb, path: new RegExp(`^/client/v4${source}$`) };
  })
  // Fixed segments take precedence over parameters.
  .toSorted((a, b) => a.route.split(":").length - b.route.split(":").length);

/** Parses numbers and booleans of a query or a form. */
function plain(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function plainAll(value: unknown): unknown {
  if (typeof value === "string") return plain(value);
  if (Array.isArray(value)) return value.map(plainAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainAll(one)]));
}

async function formOf(request: Request): Promise<Record<string, unknown>> {
  const form = await readForm({ headers: request.headers, body: new Uint8Array(await request.clone().arrayBuffer()) });
  const fields: Record<string, unknown> = {};
  for (const name of ["metadata", "settings"]) {
    const object = await readObject(form, name);
    const sentWhole = form.has(name);
    if (object !== undefined) fields[name] = sentWhole ? object : plainAll(object);
  }
  const value = form.get("value");
  if (value !== null) fields.value = typeof value === "string" ? value : "";
  return fields;
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.clone().text();
  if (text === "") return undefined;
  if (text.startsWith("--")) return formOf(request);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @returns undefined for an unsupported operation */
export async function exchangeOf(request: Request, response: Response): Promise<Exchange | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  for (const { route, method, verb, path } of operations) {
    const match = verb === request.method ? path.exec(pathname) : null;
    if (match === null) continue;
    const storageClass = request.headers.get("cf-r2-storage-class");
    const isEnvelope = response.headers.get("Content-Type")?.startsWith("application/json");
    const answer: unknown = isEnvelope
      ? await response
          .clone()
          .json()
          .catch(() => undefined)
      : undefined;
    return {
      route,
      method,
      path: { ...match.groups },
      query: {
        ...Object.fromEntries([...searchParams].map(([name, text]) => [name, plain(text)])),
        ...(storageClass === null ? {} : { storage_class: storageClass }),
      },
      body: await bodyOf(request),
      status: response.status,
      envelope: typeof answer === "object" && answer !== null && "result" in answer ? { ...answer } : undefined,
    };
  }
  return undefined;
}
