// Options of the audit log.

import { boolean, text } from '../../values/options';

export const AUDIT_OPTIONS = {
  enabled: boolean(
    false,
    'Write one audit event in the vocabulary of CADF for every write request, including refused ones.',
  ),
  log_file: text(
    '',
    'File to which events are appended, relative to the working directory. The service creates it with mode 0640; ' +
      'its directory must exist. SIGHUP makes the service open it again, for logrotate. Empty: standard error, ' +
      'together with the log.',
    { pattern: /^(?!.*\/$)[^\0\r\n]*$/u, patternMeaning: 'the path of a file' },
  ),
  host_reports: boolean(
    true,
    'Write events for accepted reports of hosts (`PUT /scheduler/hosts/{host}/{node}`), about one per minute and ' +
      'host. Refused reports always cause an event.',
  ),
} as const;
