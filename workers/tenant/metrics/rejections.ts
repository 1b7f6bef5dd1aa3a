/** Data points that cannot be counted: how many, by the reason. */
export type Rejections = Map<string, number>;

/** All of them, as an exporter is told. */
export interface Rejected {
  count: number;
  message: string;
}

export function reject(rejections: Rejections, reason: string, count = 1): void {
  if (count > 0) rejections.set(reason, (rejections.get(reason) ?? 0) + count);
}

/** @returns `undefined` when everything was taken */
export function summary(rejections: Rejections): Rejected | undefined {
  if (rejections.size === 0) return undefined;
  const reasons = [...rejections].map(([reason, count]) => `${count}: ${reason}`);
  return { count: [...rejections.values()].reduce((sum, count) => sum + count, 0), message: reasons.join("; ") };
}
