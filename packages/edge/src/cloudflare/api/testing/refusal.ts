/** What a refused call of the SDK was answered. */
import Cloudflare from "cloudflare";

/** The status, codes and messages of the refusal. @throws Error when the call was not refused */
export async function refusal(
  call: PromiseLike<unknown>,
): Promise<{ status: unknown; codes: unknown[]; message: string }> {
  let error: unknown;
  try {
    await call;
  } catch (thrown) {
    error = thrown;
  }
  if (!(error instanceof Cloudflare.APIError)) throw new Error("the call was not refused", { cause: error });
  return {
    status: error.status,
    codes: error.errors.map((one) => one.code),
    message: error.errors.map((one) => one.message).join("; "),
  };
}
