import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "../detail/client-frame.tsx";
import { Users } from "./users.tsx";

const route = getRouteApi("/shell/clients/$clientId/users");

export function UsersPage() {
  return <ClientFrame clientId={route.useParams().clientId}>{(tab) => <Users {...tab} />}</ClientFrame>;
}
