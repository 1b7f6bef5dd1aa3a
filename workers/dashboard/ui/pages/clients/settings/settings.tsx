import { type ClientTab, clientTab } from "../detail/client-frame.tsx";
import { DeleteCard } from "./delete-card.tsx";
import { ExportCard } from "./export-card.tsx";
import { FreezeCard } from "./freeze-card.tsx";

export default clientTab("settings", Settings);

function Settings({ client, reload }: ClientTab) {
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <FreezeCard client={client} />
      <ExportCard client={client} />
      <DeleteCard client={client} reload={reload} />
    </div>
  );
}
