// Rules across the options of [keystone_authtoken], and warnings about them.
import type { KeystoneOptions } from './groups/keystone-options';

const addressProblem = (text: string | null): string | undefined => {
  if (text === null || text === '') return 'is missing';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'is no http or https address';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password';
  return url.search === '' && url.hash === '' ? undefined : 'must end with its path';
};

/** Whether Berth logs in with an application credential. */
export const isCredential = (options: KeystoneOptions): boolean => options.auth_type === 'v3applicationcredential';

/** Whether all of these options are unset or empty. */
export const lacks = (...values: readonly (string | null)[]): boolean =>
  values.every((value) => value === null || value === '');

const accountProblems = ({ user_id: id, username }: KeystoneOptions): readonly string[] =>
  lacks(id, username) ? ['username is missing'] : [];

const projectProblems = ({
  system_scope: scope,
  project_id: id,
  project_name: name,
}: KeystoneOptions): readonly string[] => (scope === null && lacks(id, name) ? ['project_name is missing'] : []);

const loginProblems = (options: KeystoneOptions): readonly string[] => {
  if (!isCredential(options)) {
    const secret = options.password === null ? ['password is missing'] : [];
    return [...accountProblems(options), ...secret, ...projectProblems(options)];
  }
  const named = lacks(options.application_credential_name)
    ? ['application_credential_id is missing']
    : accountProblems(options);
  return [
    ...(lacks(options.application_credential_id) ? named : []),
    ...(options.application_credential_secret === null ? ['application_credential_secret is missing'] : []),
  ];
};

/** Problems that keep the strategy from working. */
export const keystoneProblems = (options: KeystoneOptions): readonly string[] => {
  const url = addressProblem(options.auth_url);
  const reported = options.www_authenticate_uri;
  const reportedProblem = reported === null ? undefined : addressProblem(reported);
  const { certfile, keyfile } = options;
  return [
    ...(url === undefined ? [] : [`auth_url ${url}`]),
    ...(reportedProblem === undefined ? [] : [`www_authenticate_uri ${reportedProblem}`]),
    ...loginProblems(options),
    ...(certfile === null && keyfile !== null ? ['certfile is missing'] : []),
    ...(options.service_type === '' ? ['service_type is missing'] : []),
  ].map((problem) => `[keystone_authtoken] ${problem}`);
};

/** Warnings for the operator. */
export const keystoneWarnings = (options: KeystoneOptions): readonly string[] => [
  ...(options.insecure
    ? ['[keystone_authtoken] insecure: the certificate of the Identity service is not verified']
    : []),
  ...(options.www_authenticate_uri === null
    ? ['[keystone_authtoken] www_authenticate_uri is not set; callers get auth_url']
    : []),
];
