import { creatableName } from '../domain/names';
import { newestOf } from '../domain/newest';
import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { created, noContent, ok } from '../http/answer';
import type { Answer } from '../http/answer';
import type { QueryParams } from '../http/query-params';
import { AnswersJson, Policy, Since, ValidQuery } from '../http/route.decorators';
import { presentTraits, traitPath } from './traits.presenter';
import { LIST_TRAITS, traitFilter } from './traits.schema';
import { TraitsService } from './traits.service';

@Controller('traits')
export class TraitsController {
  constructor(private readonly traits: TraitsService) {}

  @Get()
  @Since('traitsApi')
  @AnswersJson()
  @Policy('placement:traits:list')
  async list(@ValidQuery(LIST_TRAITS) query: QueryParams): Promise<Answer> {
    const found = await this.traits.list(traitFilter(query));
    return ok(presentTraits(found), { lastModified: newestOf(found, 'now') });
  }

  @Get(':name')
  @Since('traitsApi')
  @Policy('placement:traits:show')
  async show(@Param('name') name: string): Promise<Answer> {
    const { changedAt } = await this.traits.get(name);
    return noContent({ lastModified: changedAt });
  }

  @Put(':name')
  @Since('traitsApi')
  @Policy('placement:traits:update')
  async put(@Param('name') text: string): Promise<Answer> {
    const { outcome, trait } = await this.traits.ensure(creatableName('A trait', text));
    const extras = { lastModified: trait.changedAt };
    const location = traitPath(trait.name);
    return outcome === 'created' ? created(location, undefined, extras) : noContent({ ...extras, location });
  }

  @Delete(':name')
  @Since('traitsApi')
  @Policy('placement:traits:delete')
  async delete(@Param('name') name: string): Promise<Answer> {
    await this.traits.delete(name);
    return noContent();
  }
}
