/** Addresses of operations. */

type Values = Readonly<Record<string, unknown>>;

/** The API of a tenant's users, below the dashboard's address; operations of the console alone are beside it. */
const CONSOLE = /^(.*)\/console\/([^/]+)\/api\/?$/;
const OF_CONSOLE = "/console/{slug}/";

/**
 * Returns the URL of a path with its parameters and query. Undefined and null are no values of a query.
 *
 * @throws TypeError when a parameter of the path has no value
 */
export function addressOf(baseUrl: string, template: string, params: Values = {}, query: Values = {}): string {
  const [, origin, slug] = (template.startsWith(OF_CONSOLE) && CONSOLE.exec(baseUrl)) || [];
  const values: Values = { ...(slug !== undefined && { slug: decodeURIComponent(slug) }), ...params };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === null || value === "") throw new TypeError(`${template} requires \`${name}\`.`);
    return encodeURIComponent(String(value));
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${(origin ?? baseUrl).replace(/\/$/, "")}${path}${search === "" ? "" : `?${search}`}`;
}
