import { createHash } from 'node:crypto';
import type { ComputeVersion } from '../../compute-version';
import type { ComputeCaller } from '../compute-caller';
import { computeStamp } from '../compute-links';
import type { ServerAction } from './server.entity';

interface View {
  readonly api: ComputeVersion;
  readonly caller: ComputeCaller;
}

const MESSAGE = 'Error';

export const presentAction = (action: ServerAction, { api }: View): object => ({
  action: action.action,
  instance_uuid: action.serverUuid,
  request_id: action.requestId,
  user_id: action.userId,
  project_id: action.projectId,
  start_time: computeStamp(action.startedAtMs),
  message: action.message === null ? null : MESSAGE,
  ...(api.has('actionUpdated') && { updated_at: computeStamp(action.finishedAtMs ?? action.startedAtMs) }),
});

/** With its one event: the action as a whole. */
export const presentActionWithEvents = (action: ServerAction, view: View): object => ({
  ...presentAction(action, view),
  events: [presentEvent(action, view)],
});

function presentEvent(action: ServerAction, { api, caller }: View): object {
  const { host, message, details, projectId } = action;
  return {
    event: `compute_${action.action.replaceAll('-', '_')}`,
    start_time: computeStamp(action.startedAtMs),
    finish_time: computeStamp(action.finishedAtMs),
    result: action.finishedAtMs === null ? null : message === null ? 'Success' : 'Error',
    ...(caller.isAdmin && { traceback: details }),
    ...(api.has('eventHost') && {
      hostId: host === null ? '' : createHash('sha224').update(`${projectId}${host}`).digest('hex'),
      ...(caller.isAdmin && { host }),
    }),
    ...(api.has('eventDetails') && { details: caller.isAdmin ? details : message }),
  };
}
