import { Controller, Get, Param } from '@nestjs/common';
import type { ListQuery } from '../../compute/registry-page';
import { listQueryOf, presentPage, presentTime, refuseQuery } from '../../compute/registry-page';
import { notFound } from '../../compute/registry-refusals';
import { pageParameters } from '../../compute/registry.responses';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { COUNT, listOf, oneOf, orNull, TEXT, TIME, UUID_TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import type { Members } from '../../platform/http/shown';
import { presenterOf, schemasOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { queryFault } from '../../platform/values/field-fault';
import { NOT_A_PAST_TIME, pastTimeOf } from '../../platform/values/past-time';
import { OUTCOMES } from '../../scheduling-rules/pipeline/decision';
import { DecisionStore } from './decision-store';
import type { DecisionRow } from './decision.entity';
import { DECISION, OUTCOME } from './decision.responses';
import { RequestFixes } from './request-fixes';

const KEPT: Members<DecisionRow> = {
  request_id: [TEXT, ({ requestId }) => requestId],
  at: [TIME, ({ atMs }) => presentTime(atMs)],
  outcome: [OUTCOME, ({ outcome }) => outcome],
  code: [orNull(TEXT), ({ code }) => code],
  project_id: [orNull(TEXT), ({ projectId }) => projectId],
  instance: [orNull(TEXT), ({ instance }) => instance],
  instance_name: [orNull(TEXT), ({ instanceName }) => instanceName],
  num_instances: [COUNT, ({ numInstances }) => numInstances],
  flavor: [orNull(TEXT), ({ flavor }) => flavor],
  image: [orNull(TEXT), ({ image }) => image],
  duration_ms: [orNull(COUNT), ({ durationMs }) => durationMs],
  hosts: [orNull(listOf(TEXT)), ({ hosts }) => hosts],
  hosts_chosen: [orNull(COUNT), ({ hostsChosen }) => hostsChosen],
  sentence: [TEXT, ({ sentence }) => sentence],
  bytes: [COUNT, ({ bytes }) => bytes],
};

/** A decision in a list. */
const KEPT_DECISION = named('KeptDecision', closed(schemasOf(KEPT)));
const presentKept = presenterOf(KEPT);

const FILTERS = {
  instance: UUID_TEXT,
  host: TEXT,
  outcome: OUTCOME,
  code: TEXT,
  project_id: TEXT,
  since: TEXT,
  with: { ...oneOf('count'), description: 'Shows how many decisions match on all pages.' },
};

const LIST = named(
  'Decisions',
  closed({ decisions: listOf(KEPT_DECISION), count: orNull(COUNT), next_marker: orNull(TEXT) }),
);

@Controller('scheduler/decisions')
export class DecisionsController {
  constructor(
    private readonly decisions: DecisionStore,
    private readonly fixes: RequestFixes,
  ) {}

  @Get()
  @Operation('listDecisions', 'Lists decisions that were kept, newest first.', json(LIST), {
    query: pageParameters(FILTERS),
  })
  @ClientFunction('scheduler.decisions.list')
  @Policy('berth:scheduler:decisions:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, Object.keys(FILTERS));
    const filter = {
      instance: query.filters.uuid('instance'),
      host: query.filters.last('host'),
      outcome: query.filters.choice('outcome', OUTCOMES),
      code: query.filters.last('code'),
      projectId: query.filters.last('project_id'),
      sinceMs: sinceOf(query),
    };
    const isCounted = query.filters.choice('with', ['count']) !== undefined;
    const count = isCounted ? await this.decisions.count(filter) : null;
    return ok({ count, ...presentPage('decisions', await this.decisions.list(filter, query), presentKept) });
  }

  @Get(':request_id')
  @Operation('showDecision', 'Shows the decision on a request.', json(DECISION))
  @ClientFunction('scheduler.decisions.get')
  @Policy('berth:scheduler:decisions:show')
  async show(@Param('request_id') requestId: string, @Context() caller: RequestContext): Promise<Answer> {
    refuseQuery(caller.queryText);
    const found = await this.decisions.find(requestId, (document) => this.fixes.find(document, caller));
    if (found === undefined) throw notFound(`decision kept of request ${requestId}`);
    return ok(found);
  }
}

function sinceOf(query: ListQuery): number | undefined {
  const text = query.filters.last('since');
  if (text === undefined) return undefined;
  const ms = pastTimeOf(text, Date.now());
  if (ms === undefined) throw queryFault('since', NOT_A_PAST_TIME);
  return ms;
}
