/** The number of data points that cannot be counted, by reason. */
export type Rejections = Map<string, number>;

export interface Rejected {
  count: number;
  message: string;
}

export function reject(rejections: Rejections, reason: string, count = 1): void {
  if (count > 0) rejections.set(reason, (rejections.get(reason) ?? 0) + count);
}

/** @returns `undefined` when nothing was rejected */
export function summary(rejections: Rejections): Rejected | undefined {
  if (rejections.size === 0) return undefined;
  const reasons = [...rejections].map(([reason, count]) => `${count}: ${reason}`);
  return { count: [...rejections.values()].reduce((sum, count) => sum + count, 0), message: reasons.join("; ") };
}
