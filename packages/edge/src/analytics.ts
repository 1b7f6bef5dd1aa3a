/** Data points of Analytics Engine. */
export { Analytics, type DataPoint } from "./cloudflare/kinds/analytics/data-points.ts";
