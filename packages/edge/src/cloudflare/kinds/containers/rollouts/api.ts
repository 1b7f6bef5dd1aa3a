import { undocumented } from "@tenantry/std/difference";
import * as z from "zod";
import { ApiError, apiPart, readBody, successResponse } from "../../../api/operations.ts";
import {
  applicationHealth,
  checkSize,
  configuration,
  containerApiError,
  findApplication,
  invalid,
  isManaged,
} from "../application.ts";
import type { ContainerApplicationRecord } from "../record.ts";
import { act, requestFault, rolloutAction, rolloutRequest, withRollout } from "./plan.ts";
import { isOpen, type RolloutRecord, rolloutsOf } from "./record.ts";
import { healthOf, rolloutResponse } from "./response.ts";

const newRollout = rolloutRequest.extend({
  target_configuration: configuration.extend({ image: z.string().min(1).exactOptional() }),
});

/** The second and later operations are those of the vendor's client (workers-sdk, `packages/containers-shared`, `RolloutsService.ts`). */
export const rolloutsApi = apiPart({
  title: "Container rollouts",
  operations: {
    "POST /accounts/:account_id/containers/applications/:id/rollouts": "containers.applications.rollouts.create",
    "GET /accounts/:account_id/containers/applications/:id/rollouts": "-",
    "GET /accounts/:account_id/containers/applications/:id/rollouts/:rollout_id": "-",
    "POST /accounts/:account_id/containers/applications/:id/rollouts/:rollout_id": "-",
    "DELETE /accounts/:account_id/containers/applications/:id/rollouts/:rollout_id": "-",
  },
  differs: [
    undocumented(
      "A step begins a second after the step before it, and replaces instances a second later; under [weather](weather.md) a minute of production later. Until then a container starts with the former image.",
    ),
    undocumented("A rollout replaces an open one."),
  ],
  handlers: ({ limits, store, runtime, now }) => {
    const findRollout = (application: ContainerApplicationRecord, id: string | undefined): RolloutRecord => {
      const rollout = rolloutsOf(application).find((one) => one.id === id);
      if (rollout === undefined) throw containerApiError(404, "ROLLOUT_NOT_FOUND");
      return rollout;
    };
    const toResult = (application: ContainerApplicationRecord, rollout: RolloutRecord) =>
      rolloutResponse(rollout, isOpen(rollout) ? applicationHealth(runtime, application) : healthOf([]));
    const put = (application: ContainerApplicationRecord, rollouts: RolloutRecord[]) =>
      store.put("container_application", { ...application, rollouts });
    return {
      "POST /accounts/:account_id/containers/applications/:id/rollouts": (call) => {
        const application = findApplication(store, call.params.id);
        if (isManaged(application))
          throw new ApiError(400, invalid, "An application that Durable Objects manage has no rollouts.");
        const request = readBody(call, newRollout, invalid);
        const fault = requestFault(request);
        if (fault !== undefined) throw new ApiError(400, invalid, fault);
        checkSize(limits, request.target_configuration);
        const target = { ...application.configuration, ...request.target_configuration };
        const { application: changed, rollout } = withRollout(application, request, target, now());
        store.put("container_application", changed);
        return successResponse(toResult(changed, rollout));
      },
      "GET /accounts/:account_id/containers/applications/:id/rollouts": ({ params }) => {
        const application = findApplication(store, params.id);
        return successResponse(
          rolloutsOf(application)
            .toReversed()
            .map((one) => toResult(application, one)),
        );
      },
      "GET /accounts/:account_id/containers/applications/:id/rollouts/:rollout_id": ({ params }) => {
        const application = findApplication(store, params.id);
        return successResponse(toResult(application, findRollout(application, params.rollout_id)));
      },
      "POST /accounts/:account_id/containers/applications/:id/rollouts/:rollout_id": (call) => {
        const application = findApplication(store, call.params.id);
        const rollout = findRollout(application, call.params.rollout_id);
        const { action } = readBody(call, rolloutAction, invalid);
        const result = act(rollout, action, now(), runtime.containerInstances(application.id).length);
        const isRefused = typeof result === "string";
        const changed = isRefused ? rollout : result;
        if (!isRefused)
          put(
            application,
            rolloutsOf(application).map((one) => (one.id === changed.id ? changed : one)),
          );
        const message = isRefused ? result : "";
        return successResponse({ success: !isRefused, message, rollout: toResult(application, changed) });
      },
      "DELETE /accounts/:account_id/containers/applications/:id/rollouts/:rollout_id": ({ params }) => {
        const application = findApplication(store, params.id);
        const rollout = findRollout(application, params.rollout_id);
        // "Cleans up the specific rollout from the Application if it is not in use"; the code is not documented.
        if (isOpen(rollout)) throw new ApiError(400, invalid, "The rollout is in use.");
        put(
          application,
          rolloutsOf(application).filter(({ id }) => id !== rollout.id),
        );
        return successResponse({});
      },
    };
  },
});
