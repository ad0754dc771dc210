// Actions on a server, and the list of past actions.
import { Get, Param, Post } from '@nestjs/common';
import type { Page, PageQuery } from '../../../compute/registry-page';
import { knownQuery } from '../../../compute/registry-page';
import { pageIn } from '../../../compute/registry-page.sql';
import type { Answer } from '../../../platform/http/answer';
import { ok } from '../../../platform/http/answer';
import { TEXT } from '../../../platform/http/answer-schemas';
import { DtoBody } from '../../../platform/http/dto-body.decorator';
import { json, NOTHING, Operation } from '../../../platform/http/operation.decorator';
import { Audited, Policy, Weighed } from '../../../platform/http/route.decorators';
import { closed } from '../../../platform/microversion/versioned-schema';
import { InvalidInput, NotFound } from '../../../platform/values/errors';
import { bodyFault, shown } from '../../../platform/values/field-fault';
import { pageQueryOf } from '../../practice-cloud-query';
import { PracticeController } from '../../practice-cloud.decorators';
import { holding, PAGE, paged } from '../../practice-cloud.responses';
import { COMPUTE_PATH, linkedPage } from '../compute-links';
import type { ComputeCaller, ComputeRequest } from '../compute-request';
import { ComputeCall, refuseBefore, refuseTooNew } from '../compute-request';
import { SERVER, SERVER_ACTION, SERVER_ACTION_WITH_EVENTS } from '../compute.responses';
import { presentAction, presentActionWithEvents } from './server-actions.presenter';
import type { Doer, GuestAction } from './server-actions.service';
import { ServerActionsService } from './server-actions.service';
import { newPassword, ServerViews } from './server-views.service';
import type { ServerAction, ServerFault } from './server.entity';
import { presentChangedServer } from './servers.presenter';
import { RemoteConsoleBody, ServerActionBody } from './servers.schema';
import { ServersService } from './servers.service';

/** The input of an action, apart from the server. */
interface Wanted extends Doer, Pick<ComputeRequest, 'api'> {
  readonly id: string;
  readonly body: ServerActionBody;
}

/** Most actions answer without a body. */
const NO_BODY = { type: 'null' };

const NO_GUEST = 'Berth places servers and starts no guests: they have no consoles.';
/** The console log of every server. */
const CONSOLE_LOG = 'Berth places servers and starts no guests: there is no console output.\n';

@PracticeController('compute/v2.1/servers/:id')
export class ComputeServerActionsController {
  constructor(
    private readonly actions: ServerActionsService,
    private readonly servers: ServersService,
    private readonly views: ServerViews,
  ) {}

  @Post('action')
  @Operation('actOnComputeServer', 'Does something to a server, or reads its console log.', {
    202: json({ anyOf: [NO_BODY, closed({ server: SERVER })] }),
    204: NOTHING,
    200: json({ anyOf: [NO_BODY, closed({ output: TEXT }), closed({ adminPass: TEXT })] }),
  })
  @Policy('berth:practice_cloud:compute:servers:act')
  @Audited('update/action', 'compute/server')
  @Weighed()
  async act(
    @Param('id') id: string,
    @DtoBody(ServerActionBody) body: ServerActionBody,
    @ComputeCall() computeRequest: ComputeRequest,
  ): Promise<Answer> {
    const { caller, api, context } = computeRequest;
    const [name, ...others] = Object.keys(body).filter((key) => body[key as keyof ServerActionBody] !== undefined);
    if (name === undefined || others.length > 0) throw bodyFault('', 'must have one action');
    await this.perform(name as keyof ServerActionBody, { id, body, api, caller, schedulerCaller: context });
    if (name === 'confirmResize') return { status: 204 };
    if (name === 'os-getConsoleOutput') return ok({ output: CONSOLE_LOG });
    if (name === 'evacuate' && api.has('noEvacuationPassword')) return { status: 200 };
    if (name === 'evacuate') return ok({ adminPass: body.evacuate?.adminPass ?? newPassword() });
    return name === 'rebuild' ? this.rebuilt(id, body, computeRequest) : { status: 202 };
  }

  @Post('remote-consoles')
  @Operation('showComputeServerConsole', 'Refuses to show a console, since servers have none.', {})
  @Policy('berth:practice_cloud:compute:servers:console')
  @Audited('create/console', 'compute/server')
  console(
    @Param('id') id: string,
    @DtoBody(RemoteConsoleBody) { remote_console: { type } }: RemoteConsoleBody,
    @ComputeCall() { caller, api }: ComputeRequest,
  ): Promise<Answer> {
    refuseBefore('remoteConsoles', api);
    return this.refuseConsole(id, type, caller);
  }

  @Get('os-instance-actions')
  @Operation(
    'listComputeServerActions',
    'Lists what was done to a server.',
    paged('instanceActions', SERVER_ACTION, 'links'),
    { query: PAGE },
  )
  @Policy('berth:practice_cloud:compute:servers:actions')
  async list(@Param('id') id: string, @ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    const actions = await this.servers.actions(id, computeRequest.caller);
    const { items, next, limit } = actionPageOf(actions, computeRequest);
    const shownActions = items.map((action) => presentAction(action, computeRequest));
    return linkedPage(computeRequest.context, 'instanceActions', { items: shownActions, next, limit }, 'links');
  }

  @Get('os-instance-actions/:request')
  @Operation(
    'showComputeServerAction',
    'Shows what was done to a server by one request.',
    holding('instanceAction', SERVER_ACTION_WITH_EVENTS),
  )
  @Policy('berth:practice_cloud:compute:servers:actions')
  async show(
    @Param('id') id: string,
    @Param('request') requestId: string,
    @ComputeCall() computeRequest: ComputeRequest,
  ): Promise<object> {
    const found = (await this.servers.actions(id, computeRequest.caller)).find(
      (action) => action.requestId === requestId,
    );
    if (found === undefined) throw new NotFound(`Action for request_id ${requestId} on instance ${id} not found`);
    return { instanceAction: presentActionWithEvents(found, computeRequest) };
  }

  private async rebuilt(id: string, { rebuild }: ServerActionBody, computeRequest: ComputeRequest): Promise<Answer> {
    const { api, caller } = computeRequest;
    const server = await this.servers.get(id, caller);
    const rebuiltServer = {
      ...(await this.views.shown(server, computeRequest, presentChangedServer)),
      adminPass: rebuild?.adminPass ?? newPassword(),
      ...(api.has('keyOfRebuild') && { key_name: server.details.keyName }),
      ...(api.has('noInjectedFiles') && { user_data: null }),
    };
    return { status: 202, location: `${COMPUTE_PATH}/servers/${server.uuid}`, body: { server: rebuiltServer } };
  }

  private perform(name: keyof ServerActionBody, action: Wanted): Promise<unknown> {
    const { id, body } = action;
    switch (name) {
      case 'resize':
        return this.actions.resize(id, body.resize?.flavorRef ?? '', action);
      case 'confirmResize':
        return this.actions.confirmResize(id, action);
      case 'revertResize':
        return this.actions.revertResize(id, action);
      case 'migrate':
        return this.migrate(action);
      case 'os-migrateLive':
        return this.liveMigrate(action);
      case 'evacuate':
        refuseForce('evacuate', body.evacuate?.force);
        return this.actions.evacuate(id, body.evacuate?.host ?? null, action);
      case 'shelve':
        return this.actions.shelve(id, action);
      case 'shelveOffload':
        return this.actions.shelveOffload(id, action);
      case 'unshelve':
        return this.unshelve(action);
      case 'rebuild':
        return body.rebuild === undefined ? Promise.resolve() : this.actions.rebuild(id, body.rebuild, action);
      case 'reboot':
        return this.actions.inGuest(id, /soft/i.test(body.reboot?.type ?? '') ? 'softReboot' : 'hardReboot', action);
      case 'lock':
        return this.actions.lock(id, { reason: body.lock?.locked_reason ?? null }, action);
      case 'unlock':
        return this.actions.lock(id, null, action);
      case 'os-resetState':
        return this.actions.resetState(id, body['os-resetState']?.state ?? 'error', action);
      case 'forceDelete':
        return this.servers.remove(id, action.caller);
      case 'os-getConsoleOutput':
        return this.servers.get(id, action.caller);
      case 'os-getVNCConsole':
      case 'os-getSPICEConsole':
      case 'os-getRDPConsole':
      case 'os-getSerialConsole':
        return this.refuseConsole(id, body[name]?.type ?? '', action.caller);
      default:
        return this.actions.inGuest(id, name satisfies GuestAction, action);
    }
  }

  private migrate(action: Wanted): Promise<ServerFault | null> {
    const host = action.body.migrate?.host ?? null;
    refuseTooNew('migrationHost', action.api, { 'migrate.host': host ?? undefined });
    return this.actions.migrate(action.id, host, action);
  }

  /** Old versions report immediately that there is no host. */
  private async liveMigrate(action: Wanted): Promise<void> {
    const migration = action.body['os-migrateLive'];
    refuseForce('os-migrateLive', migration?.force);
    const fault = await this.actions.liveMigrate(action.id, migration?.host ?? null, action);
    if (fault === null || action.api.has('liveMigrationInBackground')) return;
    throw new InvalidInput(action.caller.isAdmin ? fault.details : fault.message);
  }

  private async refuseConsole(id: string, type: string, caller: ComputeCaller): Promise<never> {
    await this.servers.get(id, caller);
    throw new InvalidInput(`Unavailable console type ${shown(type)}. ${NO_GUEST}`);
  }

  private unshelve(action: Wanted): Promise<ServerFault | null> {
    const { availability_zone: zone, host } = action.body.unshelve ?? {};
    refuseTooNew('unshelveZone', action.api, { 'unshelve.availability_zone': zone });
    refuseTooNew('unshelveHost', action.api, { 'unshelve.host': host });
    return this.actions.unshelve(action.id, { zone, host }, action);
  }
}

/** Refuses `force`: every placement goes through the scheduler. */
function refuseForce(action: string, force: boolean | null | undefined): void {
  if (force === true) throw bodyFault(`${action}.force`, 'is not done: nothing is placed here without the filters');
}

/** The requested part of the actions. */
function actionPageOf(
  actions: readonly ServerAction[],
  { context: { queryText } }: ComputeRequest,
): Page<ServerAction> & Pick<PageQuery, 'limit'> {
  const query = pageQueryOf(knownQuery(queryText, Object.keys(PAGE)));
  return { ...pageIn(actions, ({ requestId }) => requestId, query), limit: query.limit };
}
