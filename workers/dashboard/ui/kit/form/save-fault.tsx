import { Refused } from "../../api/faults.ts";
import { Button } from "../button.tsx";
import { Fault } from "../states.tsx";

export interface ChangeState {
  error: Error | null;
  reset: () => void;
}

/** Whether a change was rejected because another user changed the row first. */
export const isConflict = (error: Error | null): boolean =>
  error instanceof Refused && error.code === "precondition_failed";

/** Returns the sentence that names who changed it, if the API knows. */
const authorOf = (error: Error | null): string | undefined =>
  error instanceof Refused && error.reason === "entity_changed_by" ? error.message.split(/(?<=\.) /)[0] : undefined;

interface SaveFaultProps {
  change: ChangeState;
  onReload: (() => Promise<unknown>) | undefined;
}

const INVALID = { message: "Some values are invalid. Correct the marked fields." };

/** Why a change was rejected. After a conflict, it offers to reload. */
export function SaveFault({ change, onReload }: SaveFaultProps) {
  if (onReload === undefined || !isConflict(change.error)) {
    const isMarked = change.error instanceof Refused && change.error.reason === "invalid_values";
    return <Fault error={isMarked ? INVALID : change.error} />;
  }
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-busy-soft px-3 py-2 text-[0.8125rem] text-busy"
    >
      <p className="min-w-0 flex-1 basis-56">
        {authorOf(change.error) ?? "Another user changed this."} Your entries are kept. Reload, review the changes, then
        save again.
      </p>
      <Button small onClick={() => void onReload().then(change.reset)}>
        Reload
      </Button>
    </div>
  );
}
