// `berth audit`: compares Placement with nova's databases, and repairs what differs.
import type { Type } from '@nestjs/common';
import type { Command } from 'commander';
import { Audit } from '../nova/audit/audit';
import { DatabaseRecords } from '../nova/audit/database-records';
import type { AuditFinding, LeftOut } from '../nova/audit/findings';
import { NovaCells } from '../nova/cells/nova-cells';
import { AggregatesModule } from '../placement/aggregates/aggregates.module';
import { AggregatesService } from '../placement/aggregates/aggregates.service';
import { AllocationsModule } from '../placement/allocations/allocations.module';
import { AllocationsService } from '../placement/allocations/allocations.service';
import { ProviderTraitsModule } from '../placement/provider-traits/provider-traits.module';
import { ProviderTraitsService } from '../placement/provider-traits/provider-traits.service';
import { ResourceProvidersModule } from '../placement/resource-providers/resource-providers.module';
import { ResourceProvidersService } from '../placement/resource-providers/resource-providers.service';
import { printableLine } from '../platform/values/printable';
import { openApplication } from './command-application';
import type { CommandContext } from './command-context';
import { EXIT, JSON_OPTION, runs } from './command-context';
import { asFailure, loadForNova } from './nova-scheduler-context';
import { renderJson } from './table';

const EXAMPLES = `
Without --fix nothing is written. Exit code 1 if something was found, or left as it is.

Examples:
  berth audit                    list what differs, with the remedy
  berth audit --json | jq '.counts'
  berth audit --fix              repair it, one consumer or provider at a time
`;

interface AuditOptions {
  readonly fix?: true;
  readonly json?: true;
}

export function addAudit(program: Command, context: CommandContext): void {
  program
    .command('audit')
    .description("compare allocations and providers with nova's databases; exit code 1 if they differ")
    .option('--fix', 'repair what differs; leaves alone what changes meanwhile')
    .option(...JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(runs(context, (options: AuditOptions) => audit(context, options)));
}

async function audit(context: CommandContext, { fix, json }: AuditOptions): Promise<number> {
  const { loaded, nova } = await loadForNova(context, 'berth audit', ' Use nova-manage placement audit.');
  const application = await openApplication(loaded.config, [
    AggregatesModule,
    AllocationsModule,
    ProviderTraitsModule,
    ResourceProvidersModule,
  ]);
  const service = <T>(type: Type<T>): T => application.get(type, { strict: false });
  let records: DatabaseRecords | undefined;
  try {
    const { apiDatabase, database: templateBase } = nova;
    records = new DatabaseRecords(await NovaCells.open({ apiDatabase, templateBase }));
    const run = new Audit({
      records,
      allocations: service(AllocationsService),
      aggregates: service(AggregatesService),
      providers: service(ResourceProvidersService),
      traits: service(ProviderTraitsService),
      isToFix: fix === true,
    });
    return await printed(context, run, json === true);
  } catch (error) {
    throw asFailure(error);
  } finally {
    records?.close();
    await application.close();
  }
}

/** Prints each finding when it is found: a large cloud can have many. */
async function printed({ stdout }: CommandContext, run: Audit, isJson: boolean): Promise<number> {
  const counts: Record<string, number> = {};
  let isClean = true;
  let separator = '';
  if (isJson) stdout('{"findings": [');
  for await (const finding of run.findings()) {
    counts[finding.kind] = (counts[finding.kind] ?? 0) + 1;
    isClean &&= finding.repair?.state === 'repaired';
    stdout(isJson ? `${separator}\n${JSON.stringify(finding)}` : lineOf(finding));
    separator = ',';
  }
  const { leftOut } = run;
  if (isJson) stdout(`\n], "counts": ${JSON.stringify(counts)}, "left_out": ${renderJson(leftOut).trimEnd()}}\n`);
  else stdout(`${leftOut.map(leftOutLine).join('')}${summaryOf(counts)}`);
  return isClean && leftOut.length === 0 ? EXIT.done : EXIT.failed;
}

const KIND_WIDTH = 17;

function lineOf({ kind, subject, text, remedy, repair }: AuditFinding): string {
  const done =
    repair === null ? remedy : repair.state === 'repaired' ? `Repaired: ${remedy}` : `Left: ${repair.reason}`;
  return `${kind.padEnd(KIND_WIDTH)} ${printableLine(`${subject}: ${text} ${done}`)}\n`;
}

const leftOutLine = ({ reason, count }: LeftOut): string => `${'left out'.padEnd(KIND_WIDTH)} ${count}: ${reason}\n`;

function summaryOf(counts: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return total === 0 ? 'Nothing differs.\n' : `${total} found: ${kinds.join(', ')}\n`;
}
