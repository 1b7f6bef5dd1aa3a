/** Addresses of the dashboard's pages. No route of the API begins with any of them. */

/** Paths of one part below the root, beside the root itself; what is below each of them is its own. */
export const pageRoots = ["clients", "partners", "people", "gateways", "operations"] as const;

/** Files of pages lie under it, by names that change with what is in them. */
export const PAGE_FILES_PATH = "/assets";

/** Whether a page has this address. @param path of a URL */
export function isPage(path: string): boolean {
  const [, root, ...below] = path.split("/");
  return (root === "" && below.length === 0) || pageRoots.some((page) => page === root);
}
