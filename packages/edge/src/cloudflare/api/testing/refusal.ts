import Cloudflare from "cloudflare";

/** Returns the status, codes and messages of a refused call. @throws Error when the call succeeds */
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
