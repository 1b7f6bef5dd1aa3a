import { type LiveState, liveState, useStore } from "../api/stores.ts";
import { joinClasses } from "../kit/classes.ts";

const STATES: Readonly<Record<LiveState, readonly [name: string, title: string, colour: string]>> = {
  connecting: ["Connecting", "Connecting to live updates", "bg-busy"],
  live: ["Live", "Updates appear as they happen", "bg-good"],
  polling: [
    "Updates every 15 s",
    "Live updates are unavailable. Pages refresh every 15 seconds until they are back.",
    "bg-busy",
  ],
};

export function LiveIndicator() {
  const [name, title, colour] = STATES[useStore(liveState)];
  return (
    <span role="status" title={title} className="flex items-center gap-1.5 px-2 text-xs text-quiet">
      <span aria-hidden="true" className={joinClasses("size-2 rounded-full", colour)} />
      <span className="sr-only sm:not-sr-only">{name}</span>
    </span>
  );
}
