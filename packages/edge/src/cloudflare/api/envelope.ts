export interface ResultInfo {
  page?: number;
  per_page?: number;
  count?: number;
  total_count?: number;
  total_pages?: number;
  cursor?: string;
  next_page_token?: string;
}

export interface ErrorEntry {
  code: number;
  message: string;
}

/** @param status Default: 200 */
export function success(result: unknown, resultInfo?: ResultInfo, status = 200): Response {
  const info = resultInfo === undefined ? {} : { result_info: resultInfo };
  return Response.json({ success: true, errors: [], messages: [], result, ...info }, { status });
}

export function failure(status: number, errors: ErrorEntry[], headers: Record<string, string> = {}): Response {
  return Response.json({ success: false, errors, messages: [], result: null }, { status, headers });
}
