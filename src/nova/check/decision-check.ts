// Asks for one decision of the smallest flavor of nova, without a claim and without a record.
import { randomUUID } from 'node:crypto';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import { DatabaseUnreadable } from '../../platform/database/foreign-mysql';
import { validDocument } from '../../platform/http/dto-body.decorator';
import type { FlavorDto } from '../../scheduler/request/request.schema';
import { SelectDestinationsDto } from '../../scheduler/request/request.schema';
import type { SchedulerService } from '../../scheduler/scheduler.service';
import { openNova } from '../cells/nova-connection';
import type { NovaDatabase } from '../conf/database-url';
import type { Finding } from './finding';
import { failed, ok, warning } from './finding';

const SUBJECT = 'decision';
const FLAVOR =
  'SELECT id, name, vcpus, memory_mb, root_gb, ephemeral_gb, swap FROM flavors WHERE COALESCE(disabled, 0) = 0 ' +
  'ORDER BY memory_mb, vcpus, root_gb, id LIMIT 1';
const EXTRA_SPECS = 'SELECT `key` AS name, value FROM flavor_extra_specs WHERE flavor_id = ? LIMIT 1000';
/** For a cloud whose flavors cannot be read. */
const SMALLEST: FlavorDto = { name: 'of 1 VCPU and 1 MiB', vcpus: 1, memory_mb: 1 };

type FlavorRow = Required<Omit<FlavorDto, 'extra_specs'>> & { readonly id: number };
type SpecRow = { readonly name: string; readonly value: string };

export async function checkDecision(
  scheduler: Pick<SchedulerService, 'decide'>,
  apiDatabase: NovaDatabase,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const flavor = await smallestFlavor(apiDatabase, findings);
  const body = { num_instances: 1, project_id: 'berth-check', user_id: 'berth-check', flavor };
  const { decision, refusal } = await scheduler.decide({
    body: await validDocument(SelectDestinationsDto, body, HTTP_LIMITS.documentBytes),
    requestId: `req-${randomUUID()}`,
    dryRun: true,
    explains: 'empty',
  });
  const hosts = decision.passes[0]?.ranking.length ?? 0;
  const asked = `flavor ${flavor.name ?? ''}, the smallest one`;
  return [
    ...findings,
    refusal === null
      ? ok(SUBJECT, `${hosts} ${hosts === 1 ? 'host' : 'hosts'} can be chosen for ${asked}.`)
      : failed(SUBJECT, `No host can be chosen for ${asked}: ${refusal.message}`),
  ];
}

async function smallestFlavor(apiDatabase: NovaDatabase, findings: Finding[]): Promise<FlavorDto> {
  const api = await openNova(apiDatabase);
  try {
    const [row] = await api.rows<FlavorRow>(FLAVOR);
    if (row === undefined) return SMALLEST;
    const { id, ...flavor } = row;
    const specs = await api.rows<SpecRow>(EXTRA_SPECS, [id]);
    return { ...flavor, extra_specs: Object.fromEntries(specs.map(({ name, value }) => [name, value])) };
  } catch (error) {
    if (!(error instanceof DatabaseUnreadable)) throw error;
    findings.push(warning(SUBJECT, `The flavors of nova cannot be read: ${error.message}`));
    return SMALLEST;
  } finally {
    api.close();
  }
}
