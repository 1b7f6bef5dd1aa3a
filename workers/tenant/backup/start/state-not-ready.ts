/** The state cannot be made ready, so the gateway must not start. The message says why, and is told by the health snapshot. */
export class StateNotReady extends Error {
  override name = "StateNotReady";
}
