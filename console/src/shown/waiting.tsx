// Shown while a page loads.
import { Center, Loader } from '@mantine/core';

export const Waiting = () => (
  <Center mih="60vh">
    <Loader aria-label="Loading" />
  </Center>
);
