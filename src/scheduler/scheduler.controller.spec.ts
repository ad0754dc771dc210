import type { RequestContext } from '../platform/http/request-context';
import { DomainError } from '../platform/values/errors';
import { DEFAULT_SCHEDULER_OPTIONS } from './assemble/default-options.fixture';
import { assembleScheduler } from './assemble/scheduler-pipeline';
import type { SelectDestinationsDto } from './request/request.schema';
import { SchedulerController } from './scheduler.controller';
import { fixedEnvironment, FixtureCloud } from './scheduler.fixture';
import { SchedulerService } from './scheduler.service';

const context = { requestId: 'req-9', queryText: '' } as RequestContext;
const BODY = { num_instances: 1, flavor: { vcpus: 1, memory_mb: 512 }, project_id: 'p', user_id: 'u' };
const IGNORING = { ...BODY, ignore_hosts: ['a'] } as SelectDestinationsDto;

function controllerOf(cloud: FixtureCloud): SchedulerController {
  const enabledFilters = ['NumInstancesFilter', 'DifferentHostFilter'];
  const pipeline = assembleScheduler({ ...DEFAULT_SCHEDULER_OPTIONS, enabledFilters });
  return new SchedulerController(
    new SchedulerService(pipeline, cloud, cloud, cloud, cloud, fixedEnvironment()),
    pipeline,
    { keep: () => undefined },
  );
}

describe('POST /scheduler/select_destinations', () => {
  it('returns the selections and the decision', async () => {
    const answer = await controllerOf(new FixtureCloud([{ name: 'a' }])).selectDestinations(BODY, context);
    expect(answer).toMatchObject({
      request_id: 'req-9',
      selections: [{ selected: { host: 'a' } }],
      decision: { code: null },
    });
  });

  it('omits the decision unless it is requested', async () => {
    const body: SelectDestinationsDto = { ...BODY, explain: 'none' };
    expect(await controllerOf(new FixtureCloud([{ name: 'a' }])).selectDestinations(body, context)).not.toHaveProperty(
      'decision',
    );
  });

  it('includes the decision in a refusal, even if it was not requested', async () => {
    const refused = controllerOf(new FixtureCloud([{ name: 'a' }])).selectDestinations(
      { ...IGNORING, explain: 'none' },
      context,
    );
    await expect(refused).rejects.toThrow(DomainError);
    await expect(refused).rejects.toMatchObject({
      code: 'scheduler.no_valid_host',
      message: expect.stringMatching(/^No valid host was found\. 0 of \d+ hosts? /) as unknown,
      decision: {
        outcome: 'no_valid_host',
        passes: [{ stages: [{ rejections: { by_code: { ignored: 1 } } }, {}, {}] }],
      },
    });
  });

  it('claims nothing in a dry run', async () => {
    const cloud = new FixtureCloud([{ name: 'a' }]);
    await controllerOf(cloud).selectDestinations({ ...BODY, dry_run: true }, context);
    expect(cloud.attempts).toEqual([]);
  });
});

describe('POST /scheduler/explain', () => {
  it('claims nothing and returns the outcome with status 200', async () => {
    const cloud = new FixtureCloud([{ name: 'a' }]);
    const controller = controllerOf(cloud);
    expect(await controller.explain(BODY, context)).toMatchObject({ outcome: 'placed' });
    expect(await controller.explain(IGNORING, context)).toMatchObject({
      outcome: 'no_valid_host',
      code: 'scheduler.no_valid_host',
      selections: [],
    });
    expect(await controller.explain({ ...BODY, flavor: 'm1.small' }, context)).toMatchObject({
      outcome: 'refused',
      code: 'scheduler.invalid_request',
      message: "'flavor' names the flavor 'm1.small', which does not exist. There are no flavors.",
    });
    const group = { instance_group: { policy: 'affinity' } } as const;
    expect(await controller.explain({ ...BODY, ...group }, context)).toMatchObject({
      outcome: 'refused',
      code: 'scheduler.unsupported',
      message:
        "'instance_group' asks for a policy that no filter enforces. ServerGroup policy is not supported: ServerGroupAffinityFilter not configured.",
    });
    expect(cloud.attempts).toEqual([]);
  });

  it('reports fields that no enabled part reads', async () => {
    const body = { ...BODY, retry: { num_attempts: 1 } };
    expect(await controllerOf(new FixtureCloud([{ name: 'a' }])).explain(body, context)).toMatchObject({
      outcome: 'placed',
      decision: { request: { ignored: [{ field: 'retry' }] } },
    });
  });
});
