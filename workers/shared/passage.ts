/** A stream to pass a body through. A known length stays known, so that a body that is cut off is seen to be. @param length in bytes, as a header tells it */
export const passage = (length: string | null): IdentityTransformStream =>
  length === null ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
