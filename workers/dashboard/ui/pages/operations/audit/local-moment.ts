/** Moments as inputs of the type `datetime-local` have them: in the viewer's zone, to the minute. */

const two = (value: number): string => String(value).padStart(2, "0");

/** @param at ISO 8601 */
export function localMoment(at: string): string {
  const date = new Date(at);
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** @returns ISO 8601 in UTC; undefined for what is no moment yet */
export function momentOf(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
