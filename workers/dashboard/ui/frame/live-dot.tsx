import { type LiveState, useLiveState } from "../api/live-state.ts";
import { classes } from "../kit/classes.ts";

const SAYS: Readonly<Record<LiveState, readonly [name: string, title: string, colour: string]>> = {
  connecting: ["Connecting", "Connecting to news of changes", "bg-busy"],
  live: ["Live", "Changes are shown as they happen", "bg-good"],
  polling: ["Every 15 s", "News of changes are not heard just now: pages read anew every 15 seconds", "bg-busy"],
};

/** Whether what is shown changes by itself, and how soon. */
export function LiveDot() {
  const [name, title, colour] = SAYS[useLiveState()];
  return (
    <span role="status" title={title} className="flex items-center gap-1.5 px-2 text-xs text-quiet">
      <span aria-hidden="true" className={classes("size-2 rounded-full", colour)} />
      <span className="hidden sm:inline">{name}</span>
      <span className="sr-only sm:hidden">{name}</span>
    </span>
  );
}
