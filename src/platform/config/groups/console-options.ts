// Options of the console.
import { boolean } from '../../values/options';

export const CONSOLE_OPTIONS = {
  enabled: boolean(
    true,
    'Serve the operators’ console at `/console`. Its pages are free like any public file; what they show comes from the ' +
      'service’s APIs, for whoever logs in there.',
  ),
} as const;
