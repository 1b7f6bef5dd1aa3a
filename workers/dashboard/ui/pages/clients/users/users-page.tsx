import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "../detail/client-frame.tsx";
import { Users } from "./users.tsx";

const route = getRouteApi("/shell/clients/$clientId/users");

export function UsersPage() {
  const { clientId } = route.useParams();
  return (
    <ClientFrame clientId={clientId} name="users">
      {(tab) => <Users {...tab} />}
    </ClientFrame>
  );
}
