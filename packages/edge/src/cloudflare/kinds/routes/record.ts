export interface RouteRecord {
  id: string;
  zone_id: string;
  pattern: string;
  script?: string;
}

declare module "../../../account/records.ts" {
  interface Records {
    route: RouteRecord;
  }
}
