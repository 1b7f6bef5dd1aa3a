import type { ActionDialogProps } from "../action.ts";
import ProvisionDialog from "./provision-dialog.tsx";

/** An instance in error goes on from what is made of it. */
export default function AgainDialog({ instance: { client, ai_gateway, environment }, onClose }: ActionDialogProps) {
  return <ProvisionDialog client={client} environment={environment} bound={ai_gateway?.id} onClose={onClose} />;
}
