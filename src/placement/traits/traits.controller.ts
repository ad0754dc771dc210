import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { created, noContent, ok } from '../../platform/http/answer';
import { ClientFunction, json, located, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { QueryParams } from '../../platform/http/query-params';
import { AnswersJson, Audited, EveryRoute, Policy, Since, ValidQuery } from '../../platform/http/route.decorators';
import { creatableName } from '../../platform/values/names';
import { newestOf } from '../../platform/values/newest';
import { presentTraits, traitPath } from './traits.presenter';
import { TRAITS } from './traits.responses';
import { LIST_TRAITS, traitFilter } from './traits.schema';
import { TraitsService } from './traits.service';

@Controller('traits')
@EveryRoute(Since('traitsApi'))
export class TraitsController {
  constructor(private readonly traits: TraitsService) {}

  @Get()
  @Operation('listTraits', 'Lists traits.', json(TRAITS))
  @ClientFunction('traits.list')
  @AnswersJson()
  @Policy('placement:traits:list')
  async list(@ValidQuery(LIST_TRAITS) query: QueryParams): Promise<Answer> {
    const found = await this.traits.list(traitFilter(query));
    return ok(presentTraits(found), { lastModified: newestOf(found, 'now') });
  }

  @Get(':name')
  @Operation('checkTrait', 'Checks whether a trait exists.', NOTHING)
  @ClientFunction('traits.get')
  @Policy('placement:traits:show')
  async show(@Param('name') name: string): Promise<Answer> {
    const { changedAt } = await this.traits.get(name);
    return noContent({ lastModified: changedAt });
  }

  @Put(':name')
  @Operation('ensureTrait', 'Creates a custom trait, or confirms it.', { 201: located(NOTHING), 204: located(NOTHING) })
  @ClientFunction('traits.create', { isRepeatable: true })
  @Policy('placement:traits:update')
  @Audited('update', 'placement/trait')
  async put(@Param('name') text: string): Promise<Answer> {
    const { outcome, trait } = await this.traits.ensure(creatableName('A trait', text));
    const extras = { lastModified: trait.changedAt };
    const location = traitPath(trait.name);
    return outcome === 'created' ? created(location, undefined, extras) : noContent({ ...extras, location });
  }

  @Delete(':name')
  @Operation('deleteTrait', 'Deletes a custom trait.', NOTHING)
  @ClientFunction('traits.delete')
  @Policy('placement:traits:delete')
  @Audited('delete', 'placement/trait')
  async delete(@Param('name') name: string): Promise<Answer> {
    await this.traits.delete(name);
    return noContent();
  }
}
