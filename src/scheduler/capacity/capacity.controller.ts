import { Controller, Get, Post } from '@nestjs/common';
import { knownQuery, refuseQuery } from '../../compute/registry-page';
import { INTEGER_TEXT, TEXT } from '../../platform/http/answer-schemas';
import { DtoBody, validDocument } from '../../platform/http/dto-body.decorator';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { ChangesNothing, Context, Policy, Weighed } from '../../platform/http/route.decorators';
import { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import { levelOf } from '../request/request.schema';
import { SchedulerService } from '../scheduler.service';
import { presentCapacity } from './capacity.presenter';
import { CAPACITY } from './capacity.responses';
import { CapacityDto } from './capacity.schema';

/** Maximum of instances to count, unless the request gives another one. */
const INSTANCES_COUNTED = 10_000;

const PARAMETERS = {
  flavor: TEXT,
  image: TEXT,
  project_id: TEXT,
  user_id: TEXT,
  availability_zone: TEXT,
  instance_group: TEXT,
  max_instances: INTEGER_TEXT,
};

@Controller('scheduler/capacity')
export class CapacityController {
  constructor(
    private readonly scheduler: SchedulerService,
    private readonly pipeline: SchedulerPipeline,
  ) {}

  @Get()
  @Operation('showCapacity', 'Counts how many more instances of a registered flavor fit.', json(CAPACITY), {
    query: PARAMETERS,
  })
  @Policy('berth:scheduler:capacity')
  @Weighed()
  async show(@Context() context: RequestContext): Promise<object> {
    return this.count(await bodyOfQuery(context.queryText), context);
  }

  @Post()
  @Operation('countCapacity', 'Counts how many more instances of a request fit.', json(CAPACITY))
  @ClientFunction('scheduler.capacity')
  @Policy('berth:scheduler:capacity')
  @ChangesNothing()
  @Weighed()
  ask(@DtoBody(CapacityDto) body: CapacityDto, @Context() context: RequestContext): Promise<object> {
    refuseQuery(context.queryText);
    return this.count(body, context);
  }

  private async count(body: CapacityDto, caller: RequestContext): Promise<object> {
    const { max_instances: maxInstances = INSTANCES_COUNTED } = body;
    const level = levelOf(body, 'none');
    const { requestId, principal } = caller;
    const owner = {
      project_id: body.project_id ?? principal?.projectId ?? 'capacity',
      user_id: body.user_id ?? principal?.userId ?? 'capacity',
    };
    const counted = await this.scheduler.count(
      {
        body: { ...body, ...owner },
        requestId,
        dryRun: true,
        explains: 'always',
        seed: body.seed ?? 0,
        caller,
      },
      maxInstances,
    );
    return presentCapacity(counted, { ...this.pipeline.options, level, maxInstances });
  }
}

/** Only names of registered objects; anything else needs a request body. */
function bodyOfQuery(queryText: string): Promise<CapacityDto> {
  const query = knownQuery(queryText, Object.keys(PARAMETERS));
  const given = Object.keys(PARAMETERS).flatMap((name) => {
    const value = query.last(name);
    if (value === undefined) return [];
    return [[name, name === 'max_instances' ? Number(value === '' ? NaN : value) : value] as const];
  });
  return validDocument(CapacityDto, Object.fromEntries(given));
}
