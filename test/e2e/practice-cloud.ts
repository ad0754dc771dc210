// Shared code of the Compute API suites: requests, and a cloud of reported hosts.
import { derivedUuid } from '../../src/scheduler/simulate/derived-uuid';
import type { TestRequest, TestResponse, TestService } from '../support/service';

export interface ComputeRequest {
  readonly method?: TestRequest['method'];
  readonly body?: unknown;
  /** Such as `2.53`; default: the oldest. */
  readonly version?: string;
  /** A noauth token, `user:project`; default: an administrator's. */
  readonly as?: string;
}

export type Compute = (path: string, request?: ComputeRequest) => Promise<TestResponse>;

/** Sends requests to the Compute API of the service. */
export const computeOf =
  (service: TestService): Compute =>
  (path, { method = 'GET', body, version, as = 'admin:ops' } = {}) =>
    service.request({
      method,
      path: `/compute/v2.1/${path}`,
      version: null,
      ...(body !== undefined && { body }),
      headers: {
        'x-auth-token': as,
        'x-roles': null,
        'openstack-api-version': version === undefined ? null : `compute ${version}`,
      },
    });

/** The same, but fails the test unless the answer is a success. */
export const succeeding =
  (compute: Compute): Compute =>
  async (path, request) => {
    const answer = await compute(path, request);
    if (answer.status < 300) return answer;
    throw new Error(`${request?.method ?? 'GET'} ${path}: ${answer.status} ${answer.text}`);
  };

export const hostUuid = (host: string): string => derivedUuid('host', host);

/** Reports a host of four cores with one node of the same name. */
export async function reportHost(service: TestService, host: string, report: object = {}): Promise<void> {
  const body = {
    uuid: hostUuid(host),
    report_providers: true,
    hypervisor: { type: 'QEMU', version: 8_000_000, hostname: host, cpu_info: { arch: 'x86_64' } },
    host_ip: '192.0.2.1',
    vcpus_total: 4,
    memory_mb: 8_192,
    free_ram_mb: 8_192,
    local_gb: 100,
    free_disk_gb: 100,
    local_gb_used: 0,
    cpu_allocation_ratio: 1,
    ram_allocation_ratio: 1,
    disk_allocation_ratio: 1,
    ...report,
  };
  const answer = await service.request({ method: 'PUT', path: `/scheduler/hosts/${host}/${host}`, body });
  if (answer.status >= 300) throw new Error(answer.text);
}
