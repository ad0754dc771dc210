// A change of the service's data. A notice says what was done or why not, and offers to undo it for a minute; then the
// answers that depend on it are read again.
import { GenerationConflict } from '@berth/client';
import { Button, Text } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { faultOf } from '../service/fault';
import type { Topic } from '../service/questions';

/** Reverts a change. Throws if its object was changed meanwhile. */
export type Undo = () => Promise<unknown>;

interface Notice {
  readonly title: string;
  readonly message?: string | undefined;
  readonly color?: 'teal' | 'yellow';
  readonly undo?: Undo | undefined;
}

interface Change<Given, Result> {
  readonly run: (given: Given) => Promise<Result>;
  /** What depends on it; the registries and what shows them, if absent. */
  readonly topics?: readonly Topic[];
  readonly done: (result: Result, given: Given) => Notice;
  /** The title of the notice. If absent, the caller shows the error. */
  readonly failed?: (given: Given) => string;
}

export const REGISTRY_TOPICS: readonly Topic[] = ['registries', 'slow', 'hosts'];

const SHOWN_MS = 10_000;
const UNDO_MS = 60_000;
const CLOSE = { 'aria-label': 'Close the notice' };

/** Shows notices of changes; an undo reads the answers of `topics` again. */
export function useNotify(topics: readonly Topic[]) {
  const queries = useQueryClient();
  const notify = ({ undo, message, title, color = 'teal' }: Notice): void => {
    const id = randomId();
    const revert = (): void => {
      notifications.hide(id);
      void undo?.()
        .then(() => notify({ title: `Undone: ${title}` }))
        .catch((error: unknown) => showFault(`Not undone: ${title}`, error))
        .finally(() => void invalidate(queries, topics));
    };
    notifications.show({
      id,
      color,
      title,
      autoClose: undo === undefined ? SHOWN_MS : UNDO_MS,
      closeButtonProps: CLOSE,
      message: (
        <>
          {message !== undefined && <Text>{message}</Text>}
          {undo !== undefined && (
            <Button size="compact-xs" variant="default" mt={4} onClick={revert}>
              Undo
            </Button>
          )}
        </>
      ),
    });
  };
  return notify;
}

const invalidate = (queries: QueryClient, topics: readonly Topic[]) =>
  Promise.all(topics.map((topic) => queries.invalidateQueries({ queryKey: [topic] })));

export function useChange<Result, Given = void>({
  run,
  topics = REGISTRY_TOPICS,
  done,
  failed,
}: Change<Given, Result>) {
  const queries = useQueryClient();
  const notify = useNotify(topics);
  return useMutation({
    mutationFn: run,
    onSuccess: (result, given) => notify(done(result, given)),
    onError: (error, given) => {
      if (failed !== undefined) showFault(failed(given), error);
    },
    onSettled: () => invalidate(queries, topics),
  });
}

export const showFault = (title: string, error: unknown): void => {
  const message = error instanceof GenerationConflict ? 'Another request changed it meanwhile.' : faultOf(error).detail;
  notifications.show({ color: 'red', title, message, autoClose: 15_000, closeButtonProps: CLOSE });
};
