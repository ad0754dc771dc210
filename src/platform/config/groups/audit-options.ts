// Options of the audit log.

import { boolean, text } from '../../values/options';

export const AUDIT_OPTIONS = {
  enabled: boolean(
    false,
    'Write down who changed what: one event in CADF’s vocabulary for every write, refused ones too.',
  ),
  log_file: text(
    '',
    'File that the events are appended to, relative to the working directory. Made with mode 0640 where it is not there; ' +
      'its directory must be. SIGHUP makes the service open it again, for logrotate. Empty: standard error, among the ' +
      'lines of the log.',
    { pattern: /^(?!.*\/$)[^\0\r\n]*$/u, patternMeaning: 'the path of a file' },
  ),
  host_reports: boolean(
    true,
    'Whether reports of hosts (`PUT /scheduler/hosts/{host}/{node}`) that were accepted are events: every host sends one ' +
      'a minute or so. Refused ones always are.',
  ),
} as const;
