// Builds the console into dist/console/ of the project, from where the service serves it. The page does not know where
// it is mounted when it is built: its own addresses begin with a mark that the service replaces in every answer, those
// in scripts and styles are relative to them.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  resolve: { alias: { '@berth/client': here('../client/src/index.ts') } },
  experimental: {
    renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `__BERTH_BASE__/${name}` : { relative: true }),
  },
  build: {
    outDir: here('../dist/console'),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // A picture inside a style sheet would be a data: address, of which the policy allows pictures only.
    assetsInlineLimit: 0,
    // One style sheet: the bundler does not load the style of a page again after it failed once.
    cssCodeSplit: false,
    target: 'es2023',
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // "use client" in the libraries speaks to frameworks that render on a server.
      onLog: (level, log, reported) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') reported(level, log);
      },
    },
  },
});
