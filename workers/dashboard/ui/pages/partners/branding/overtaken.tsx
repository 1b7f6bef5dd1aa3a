import { Button } from "#workers/dashboard/ui/kit/button.tsx";

/** Says that what is saved is not what it was when typing began. */
export function Overtaken({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md bg-busy-soft px-3 py-2 text-[0.8125rem] text-busy">
      <p>Somebody else has changed the branding meanwhile. What you typed is kept, and not saved yet.</p>
      <div className="flex flex-wrap gap-2">
        <Button small onClick={onKeep}>
          Go on with mine
        </Button>
        <Button small onClick={onDiscard}>
          Take what is saved
        </Button>
      </div>
    </div>
  );
}
