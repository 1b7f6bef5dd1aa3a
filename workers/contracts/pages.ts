/** First path segments of the dashboard's pages. No route of the API starts with one. */
export const pageRoots = ["clients", "partners", "people", "gateways", "operations"] as const;

/** Path of the pages' files, whose names change with their content. */
export const PAGE_FILES_PATH = "/assets";

/** Whether a URL path belongs to a page. */
export function isPage(path: string): boolean {
  const [, root, ...below] = path.split("/");
  return (root === "" && below.length === 0) || pageRoots.some((page) => page === root);
}
