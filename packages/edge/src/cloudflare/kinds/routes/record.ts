export interface RouteRecord {
  id: string;
  zone_id: string;
  pattern: string;
  script?: string;
}
