const LOG_PATH = "/api/admin/gateway/log";

/** Tells administrators where to find the cause. */
export function LogLine() {
  return (
    <>
      If this continues, read the <a href={LOG_PATH}>gateway's log</a> to find the cause.
    </>
  );
}
