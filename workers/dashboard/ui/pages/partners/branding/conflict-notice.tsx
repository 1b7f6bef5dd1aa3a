import { Button } from "#workers/dashboard/ui/kit/button.tsx";

export function ConflictNotice({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md bg-busy-soft px-3 py-2 text-[0.8125rem] text-busy">
      <p>Another user changed the branding. Your entries are kept but not saved yet.</p>
      <div className="flex flex-wrap gap-2">
        <Button small onClick={onKeep}>
          Keep my changes
        </Button>
        <Button small onClick={onDiscard}>
          Discard my changes
        </Button>
      </div>
    </div>
  );
}
