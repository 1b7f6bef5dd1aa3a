import type { ClientTab } from "../detail/client-frame.tsx";
import { DeleteCard } from "./delete-card.tsx";
import { FreezeCard } from "./freeze-card.tsx";

/** What stops a client, and what ends it. */
export function Settings({ client, readAnew }: ClientTab) {
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <FreezeCard client={client} />
      <DeleteCard client={client} readAnew={readAnew} />
    </div>
  );
}
