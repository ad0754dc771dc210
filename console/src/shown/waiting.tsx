// Shown while something loads.
import { Skeleton, Stack } from '@mantine/core';

export const Waiting = () => (
  <Stack gap="sm" role="status" aria-busy aria-label="Loading">
    <Skeleton height={28} width="40%" />
    <Skeleton height={120} />
    <Skeleton height={120} />
  </Stack>
);
