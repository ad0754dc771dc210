// `[placement]` of nova.conf: the endpoint of a Placement service and the account for it, with the names of keystoneauth.
// What Berth cannot honour is a problem, which stops the start.

import { readFileSync } from 'node:fs';
import { versionedEndpoint } from '../../platform/auth/keystone/keystone-settings';
import type { RemotePlacementSettings } from '../../scheduler/remote-placement/remote-placement';

const READ = [
  'auth_type',
  'auth_url',
  'username',
  'user_id',
  'password',
  'user_domain_name',
  'user_domain_id',
  'project_name',
  'project_id',
  'project_domain_name',
  'project_domain_id',
  'default_domain_name',
  'default_domain_id',
  'region_name',
  'valid_interfaces',
  'endpoint_override',
  'service_type',
  'cafile',
  'certfile',
  'keyfile',
  'insecure',
  'timeout',
] as const;

/** Each would select another account, scope or endpoint. */
const REFUSED = ['auth_section', 'trust_id', 'system_scope', 'domain_id', 'domain_name', 'service_name'] as const;
export const PLACEMENT_NAMES: readonly string[] = [...READ, ...REFUSED];

type Values = Readonly<Record<string, string>>;

const PASSWORD_TYPES = ['password', 'v3password'];
/** As in nova. */
const INTERFACES = 'internal, public';
const INTERFACE_NAMES = ['internal', 'public', 'admin'];
const TIMEOUT_SECONDS = 30;
const TIMEOUT_SECONDS_MAX = 300;

/** No problem contains a value that can be secret. */
export function remotePlacementOf(written: Values): {
  readonly settings: RemotePlacementSettings;
  readonly problems: readonly string[];
} {
  const reader = new PlacementConf(written);
  return { settings: reader.settings(), problems: reader.problems };
}

class PlacementConf {
  readonly problems: string[] = [];

  constructor(private readonly written: Values) {}

  settings(): RemotePlacementSettings {
    for (const name of REFUSED) if (this.text(name) !== null) this.report(name, 'is not supported');
    const type = this.text('auth_type') ?? this.missing('auth_type');
    if (type !== '' && !PASSWORD_TYPES.includes(type)) {
      this.report('auth_type', `is "${type}", which is not supported. Use "password"`);
    }
    const serviceType = this.text('service_type') ?? 'placement';
    if (serviceType !== 'placement') this.report('service_type', `is "${serviceType}"; it must be "placement"`);
    return {
      identity: versionedEndpoint(this.address('auth_url') ?? NOWHERE),
      login: this.login(),
      where: { serviceType, region: this.text('region_name'), interface: this.interfaces() },
      endpointOverride: this.text('endpoint_override') === null ? null : this.address('endpoint_override'),
      tls: this.tls(),
      timeoutMs: this.timeoutSeconds() * 1_000,
    };
  }

  private login(): object {
    const user = {
      ...this.named('user_id', 'username', 'user_domain'),
      password: this.text('password') ?? this.missing('password'),
    };
    const project = this.named('project_id', 'project_name', 'project_domain');
    return { auth: { identity: { methods: ['password'], password: { user } }, scope: { project } } };
  }

  /** An id, or a name in a domain. */
  private named(id: string, name: string, domain: string): object {
    const known = this.text(id);
    if (known !== null) return { id: known };
    for (const prefix of [domain, 'default_domain']) {
      const [domainId, domainName] = [this.text(`${prefix}_id`), this.text(`${prefix}_name`)];
      if (domainId === null && domainName === null) continue;
      const within = domainId === null ? { name: domainName } : { id: domainId };
      return { name: this.text(name) ?? this.missing(name), domain: within };
    }
    return { name: this.text(name) ?? this.missing(name), domain: { name: this.missing(`${domain}_name`) } };
  }

  private interfaces(): readonly string[] {
    const names = (this.text('valid_interfaces') ?? INTERFACES).split(',').map((name) => name.trim());
    for (const name of names) {
      if (!INTERFACE_NAMES.includes(name)) {
        this.report('valid_interfaces', `has "${name}". Known interfaces: ${INTERFACE_NAMES.join(', ')}`);
      }
    }
    return names;
  }

  private tls(): RemotePlacementSettings['tls'] {
    const [ca, cert] = [this.file('cafile'), this.file('certfile')];
    // One file can contain both.
    const key = this.file('keyfile') ?? cert;
    const insecure = this.text('insecure') ?? 'false';
    if (!/^(1|0|true|false|yes|no|on|off)$/i.test(insecure)) this.report('insecure', `is "${insecure}", not a boolean`);
    return {
      ...(ca && { ca }),
      ...(cert && { cert }),
      ...(key && { key }),
      isUnchecked: /^(1|true|yes|on)$/i.test(insecure),
    };
  }

  private file(name: string): Buffer | undefined {
    const path = this.text(name);
    if (path === null) return undefined;
    try {
      return readFileSync(path);
    } catch (error) {
      this.report(name, `cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  private timeoutSeconds(): number {
    const text = this.text('timeout');
    if (text === null) return TIMEOUT_SECONDS;
    const seconds = Number(text);
    if (seconds >= 1 && seconds <= TIMEOUT_SECONDS_MAX) return seconds;
    this.report('timeout', `is "${text}"; it must be a number of seconds from 1 to ${TIMEOUT_SECONDS_MAX}`);
    return TIMEOUT_SECONDS;
  }

  private address(name: string): string | null {
    const text = this.text(name) ?? this.missing(name);
    if (text === '') return null;
    // The address is not shown: it can contain a password.
    if (/^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).password === '') return text;
    this.report(name, 'must be an address that begins with http:// or https://, without a password');
    return null;
  }

  private text(name: string): string | null {
    return this.written[name]?.trim() || null;
  }

  private missing(name: string): string {
    this.report(name, 'is not set. [nova] placement = remote needs it');
    return '';
  }

  private report(name: string, what: string): void {
    this.problems.push(`[placement] ${name} of nova ${what}.`);
  }
}

/** Stands for a missing address; a problem stops the start. */
const NOWHERE = 'http://localhost';
