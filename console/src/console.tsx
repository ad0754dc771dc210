// Wiring only: the providers that every page needs, from the outside in.
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter, Route, Routes } from 'react-router';
import { CONSOLE_PATH, STYLE_NONCE } from './address/base';
import { PAGES } from './pages/pages';
import { LiveProvider } from './service/live';
import { SessionProvider } from './session/session';
import { Guarded, NoSuchPage } from './shell/guarded';
import { Shell } from './shell/shell';
import { theme } from './theme';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client library retries by itself.
      retry: false,
      refetchOnWindowFocus: true,
      // Unused answers are dropped after 60 s: reports on ten thousand hosts are large.
      gcTime: 60_000,
    },
  },
});

export function Console() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => STYLE_NONCE}>
      <QueryClientProvider client={queries}>
        <BrowserRouter basename={CONSOLE_PATH}>
          <Notifications position="bottom-right" />
          <SessionProvider>
            <LiveProvider>
              <Shell>
                <Routes>
                  {PAGES.map((entry) => (
                    <Route key={entry.path} path={entry.path} element={<Guarded entry={entry} />} />
                  ))}
                  <Route path="*" element={<NoSuchPage />} />
                </Routes>
              </Shell>
            </LiveProvider>
          </SessionProvider>
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
}
