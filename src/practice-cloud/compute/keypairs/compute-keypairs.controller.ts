import { Delete, Get, Param, Post } from '@nestjs/common';
import { knownQuery } from '../../../compute/registry-page';
import type { Answer } from '../../../platform/http/answer';
import { TEXT } from '../../../platform/http/answer-schemas';
import { DtoBody } from '../../../platform/http/dto-body.decorator';
import { NOTHING, Operation } from '../../../platform/http/operation.decorator';
import { QueryParams } from '../../../platform/http/query-params';
import { Audited, EveryRoute, Policy } from '../../../platform/http/route.decorators';
import { Conflict, NotFound } from '../../../platform/values/errors';
import { bodyFault, FIELD_RULES, queryFault, shown } from '../../../platform/values/field-fault';
import { pageQueryOf } from '../../practice-cloud-query';
import { PracticeController } from '../../practice-cloud.decorators';
import { holding, PAGE, paged } from '../../practice-cloud.responses';
import { linkedPage } from '../compute-links';
import type { ComputeRequest } from '../compute-request';
import { ComputeCall, refuseTooNew } from '../compute-request';
import { KEYPAIR, LISTED_KEYPAIR } from '../compute.responses';
import { presentCreatedKeypair, presentKeypair, presentWholeKeypair } from './compute-keypairs.presenter';
import { NewKeypairBody } from './compute-keypairs.schema';
import { Keypairs } from './keypairs.repository';
import { isPublicKey, newKey } from './public-key';

const OWNER = { user_id: { ...TEXT, description: 'The owner, for administrators.' } };
const FOR_ADMINS = 'must be the caller: key pairs of other users are for administrators';

@PracticeController('compute/v2.1/os-keypairs')
@EveryRoute(Policy('berth:practice_cloud:compute:keypairs'))
export class ComputeKeypairsController {
  constructor(private readonly keypairs: Keypairs) {}

  @Get()
  @Operation('listComputeKeypairs', 'Lists the key pairs of a user.', paged('keypairs', LISTED_KEYPAIR), {
    query: { ...PAGE, ...OWNER },
  })
  async list(@ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    const { limit, marker } = pageQueryOf(knownQuery(computeRequest.context.queryText, ['limit', 'marker', 'user_id']));
    const { items, next } = await this.keypairs.list(ownerOf(computeRequest), { limit, marker });
    const shownItems = items.map((keypair) => ({ keypair: presentKeypair(keypair, computeRequest.api) }));
    return linkedPage(computeRequest.context, 'keypairs', { items: shownItems, next, limit });
  }

  @Post()
  @Operation('createComputeKeypair', 'Imports a public key, or makes a key pair.', {
    200: holding('keypair', KEYPAIR),
    201: holding('keypair', KEYPAIR),
  })
  @Audited('create', 'compute/keypair')
  async create(
    @DtoBody(NewKeypairBody) { keypair: given }: NewKeypairBody,
    @ComputeCall() { api, caller }: ComputeRequest,
  ): Promise<Answer> {
    const { name, type, user_id: owner = caller.userId, public_key: publicKey } = given;
    refuseTooNew('keypairType', api, { 'keypair.type': type });
    refuseTooNew('keypairOwner', api, { 'keypair.user_id': given.user_id });
    if (owner !== caller.userId && !caller.isAdmin) throw bodyFault('keypair.user_id', FOR_ADMINS);
    if (publicKey === undefined && api.has('keypairImportOnly'))
      throw bodyFault('keypair', FIELD_RULES.required('public_key'));
    if (publicKey !== undefined && !isPublicKey(publicKey))
      throw bodyFault('keypair.public_key', 'must be a public key of OpenSSH: its type, then the key in base64');
    const made = publicKey === undefined ? newKey() : { publicKey, privateKey: undefined };
    const keypair = { userId: owner, name, publicKey: made.publicKey, createdAtMs: Date.now() };
    if (!(await this.keypairs.add(keypair))) throw new Conflict(`Key pair '${name}' already exists.`);
    const status = api.has('keypairType') ? 201 : 200;
    return { status, body: { keypair: presentCreatedKeypair(keypair, made.privateKey, api) } };
  }

  @Get(':name')
  @Operation('showComputeKeypair', 'Shows a key pair.', holding('keypair', KEYPAIR), { query: OWNER })
  async show(@Param('name') name: string, @ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    const keypair = await this.keypairs.find(ownerOf(computeRequest), name);
    if (keypair === undefined) throw noSuchKeypair(name);
    return { keypair: presentWholeKeypair(keypair, computeRequest.api) };
  }

  /** Servers with this key pair keep its name. */
  @Delete(':name')
  @Operation('deleteComputeKeypair', 'Deletes a key pair.', { 202: NOTHING, 204: NOTHING }, { query: OWNER })
  @Audited('delete', 'compute/keypair')
  async remove(@Param('name') name: string, @ComputeCall() computeRequest: ComputeRequest): Promise<Answer> {
    if (!(await this.keypairs.remove(ownerOf(computeRequest), name))) throw noSuchKeypair(name);
    return { status: computeRequest.api.has('keypairType') ? 204 : 202 };
  }
}

const noSuchKeypair = (name: string): NotFound => new NotFound(`Keypair ${shown(name)} could not be found.`);

/** The user in the query, or else the caller. */
function ownerOf({ caller, context }: ComputeRequest): string {
  const owner = QueryParams.parse(context.queryText).last('user_id') ?? caller.userId;
  if (owner === caller.userId) return owner;
  if (!caller.isAdmin) throw queryFault('user_id', FOR_ADMINS);
  return owner;
}
