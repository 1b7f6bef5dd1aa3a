export interface AiGatewayRecord {
  id: string;
  created_at: string;
  modified_at: string;
  [field: string]: unknown;
}

declare module "../../../account/records.ts" {
  interface Records {
    ai_gateway: AiGatewayRecord;
  }
}
