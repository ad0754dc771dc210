// A change of the service's data. A notice says what was done or why not; then the answers that depend on it are read
// again.
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { faultOf } from '../service/fault';
import type { Topic } from '../service/questions';

interface Notice {
  readonly title: string;
  readonly message?: string;
}

interface Change<Given, Result> {
  readonly run: (given: Given) => Promise<Result>;
  readonly topics: readonly Topic[];
  /** No notice if absent. */
  readonly done?: (result: Result, given: Given) => Notice;
  /** The title of the notice. If absent, the caller shows the error. */
  readonly failed?: (given: Given, error: Error) => string;
}

export const REGISTRY_TOPICS: readonly Topic[] = ['registries', 'slow', 'hosts'];

export function useChange<Result, Given = void>({ run, topics, done, failed }: Change<Given, Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: (result, given) => {
      if (done !== undefined) notifications.show({ color: 'teal', message: undefined, ...done(result, given) });
    },
    onError: (error, given) => {
      if (failed !== undefined) showFault(failed(given, error), error);
    },
    onSettled: () => Promise.all(topics.map((topic) => queries.invalidateQueries({ queryKey: [topic] }))),
  });
}

export const showFault = (title: string, error: unknown): void => {
  notifications.show({ color: 'red', title, message: faultOf(error).detail, autoClose: 15_000 });
};
