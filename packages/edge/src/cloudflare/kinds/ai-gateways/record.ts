export interface AiGatewayRecord {
  id: string;
  created_at: string;
  modified_at: string;
  [field: string]: unknown;
}
