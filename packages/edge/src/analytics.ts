/** Data points of Workers, as the Analytics Engine keeps them. */
export { Analytics, type DataPoint } from "./cloudflare/kinds/analytics/data-points.ts";
