/** The difference of two texts by lines. */

export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Larger parts are shown as replaced as a whole: the time grows with their product. */
const MAX_CELLS = 4_000_000;

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

const as = (kind: DiffLine["kind"], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }));

export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  return [...as("same", old.slice(0, start)), ...middle(removed, added), ...as("same", old.slice(old.length - end))];
}

/** By the longest common subsequence. */
function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > MAX_CELLS) return [...as("removed", old), ...as("added", now)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: "same", text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: left });
      i += 1;
    } else if (right !== undefined) {
      lines.push({ kind: "added", text: right });
      j += 1;
    }
  }
  return lines;
}

/** Leaves out lines that are far from a change. @returns `undefined` for a gap */
export function nearChanges(lines: readonly DiffLine[], context = 3): (DiffLine | undefined)[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries())
    if (kind !== "same") for (let one = index - context; one <= index + context; one += 1) near.add(one);
  const shown: (DiffLine | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (near.has(index)) shown.push(line);
    else if (shown.length === 0 || shown.at(-1) !== undefined) shown.push(undefined);
  }
  return shown;
}
