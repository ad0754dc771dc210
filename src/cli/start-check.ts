// What would stop the start of the service although each option is valid.
import type { LoadedConfiguration } from '../load-configuration';
import { keystoneFileProblem } from '../platform/auth/keystone/open-keystone';
import { checkPolicy } from '../platform/auth/load-policy';
import { readServerTls } from '../platform/config/server-tls';
import { refusalIn } from '../platform/values/start-refused';
import { judgeStart } from '../scheduler/assemble/configured-scheduler';

/** Unregistered parts, certificates, files of Keystone, policy files. */
export function checkStart({ config, plugins }: Pick<LoadedConfiguration, 'config' | 'plugins'>): {
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
} {
  const policy = checkPolicy(config);
  const scheduler = judgeStart({ config, plugins });
  return {
    warnings: [...scheduler.warnings, ...policy.warnings],
    problems: [
      refusalIn(() => readServerTls(config)) ?? [],
      scheduler.problems,
      keystoneFileProblem(config) ?? [],
      policy.problems,
    ].flat(),
  };
}
