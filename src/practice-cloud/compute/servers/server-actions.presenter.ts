import { toTheMicrosecond } from '../../times';
import type { ComputeRequest } from '../compute-request';
import type { ServerAction } from './server.entity';
import { hostIdOf } from './servers.presenter';

type View = Pick<ComputeRequest, 'api' | 'caller'>;

const MESSAGE = 'Error';

export const presentAction = (action: ServerAction, { api }: View): object => ({
  action: action.action,
  instance_uuid: action.serverUuid,
  request_id: action.requestId,
  user_id: action.userId,
  project_id: action.projectId,
  start_time: toTheMicrosecond(action.startedAtMs),
  message: action.message === null ? null : MESSAGE,
  ...(api.has('actionUpdated') && { updated_at: toTheMicrosecond(action.finishedAtMs ?? action.startedAtMs) }),
});

/** The action with its single event, which covers the whole action. */
export const presentActionWithEvents = (action: ServerAction, view: View): object => ({
  ...presentAction(action, view),
  events: [presentEvent(action, view)],
});

function presentEvent(action: ServerAction, { api, caller }: View): object {
  const { host, message, details, projectId } = action;
  return {
    event: `compute_${action.action.replaceAll('-', '_')}`,
    start_time: toTheMicrosecond(action.startedAtMs),
    finish_time: toTheMicrosecond(action.finishedAtMs),
    result: action.finishedAtMs === null ? null : message === null ? 'Success' : 'Error',
    ...(caller.isAdmin && { traceback: details }),
    ...(api.has('eventHost') && {
      hostId: hostIdOf(projectId, host),
      ...(caller.isAdmin && { host }),
    }),
    ...(api.has('eventDetails') && { details: caller.isAdmin ? details : message }),
  };
}
