/** Where administrators read why. */
const LOG_PATH = "/api/admin/gateway/log";

export function LogLine() {
  return (
    <>
      If it stays like this, the <a href={LOG_PATH}>gateway's log</a> says why.
    </>
  );
}
