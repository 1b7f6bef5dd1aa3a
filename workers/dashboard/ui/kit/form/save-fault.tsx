import { Refused } from "../../api/faults.ts";
import { Button } from "../button.tsx";
import { Fault } from "../states.tsx";

export interface SaveFaultProps {
  error: Error | null | undefined;
  /** Reads anew what was changed meanwhile, so that it can be saved over it. What was typed stays. */
  onReadAnew?: (() => void) | undefined;
}

/** Whether a change was refused since somebody else came before: what is there has to be read before it is sent again. */
export const isOvertaken = (error: Error | null | undefined): boolean =>
  error instanceof Refused && error.code === "precondition_failed";

/** Why a change was not saved; where somebody else came before, with the way on. */
export function SaveFault({ error, onReadAnew }: SaveFaultProps) {
  if (onReadAnew === undefined || !isOvertaken(error)) return <Fault error={error} />;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-busy-soft px-3 py-2 text-[0.8125rem] text-busy"
    >
      <p className="min-w-0 flex-1 basis-56">
        Somebody else has changed this meanwhile. What you typed is kept: read the rest anew, look, and save again.
      </p>
      <Button small onClick={onReadAnew}>
        Read anew
      </Button>
    </div>
  );
}
