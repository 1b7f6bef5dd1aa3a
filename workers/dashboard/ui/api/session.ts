import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { type Session, sessionRoutes } from "#workers/contracts/api/people/session.ts";
import { apiQuery } from "./queries.ts";

export const sessionQuery = {
  ...apiQuery(sessionRoutes.getSession, {}),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false as const,
};

export interface Viewer extends Session {
  isRoot: boolean;
}

type Tenant = NonNullable<Session["tenant"]>;

/** The viewer's tenant. For pages of the console. */
export function useTenant(): Tenant {
  const { tenant } = useViewer();
  if (tenant === null) throw new Error("The viewer is no user of a tenant.");
  return tenant;
}

/** Whether an operator views the console, who changes nothing. False until the session is loaded. */
export const useIsReadOnly = (): boolean =>
  useQuery({ ...sessionQuery, enabled: false }).data?.tenant?.read_only === true;

/** For pages below the shell, which loads the session first. */
export function useViewer(): Viewer {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, isRoot: data.user.role === "ROOT" };
}
