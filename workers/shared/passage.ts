/** A stream for a body whose `content-length` is known or null. With a known length, truncation is detected. */
export const createPassThrough = (length: string | null): IdentityTransformStream =>
  length === null ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
