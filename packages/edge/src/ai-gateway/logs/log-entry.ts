/** One request to a gateway, as its log has it. Names are the API's. */
import type { DlpReport } from "../dlp/dlp.ts";

export interface LogEntry {
  id: string;
  created_at: string;
  /** Milliseconds. */
  duration: number;
  provider: string;
  model: string;
  /** Path at the provider, without its query. */
  path: string;
  success: boolean;
  cached: boolean;
  status_code: number;
  tokens_in: number;
  tokens_out: number;
  /** US dollars. */
  cost: number;
  custom_cost: boolean;
  metadata: Readonly<Record<string, string | number | boolean>>;
  request_content_type: string;
  response_content_type: string;
  step: number;
  /** What data loss prevention found; absent when that is nothing. */
  dlp?: DlpReport;
}

/** Bodies of a request, which hold no headers and so no keys; absent where they are not to be kept. */
export interface Payloads {
  request: string;
  response: string;
}
