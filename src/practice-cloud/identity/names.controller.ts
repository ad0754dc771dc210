// Projects, users and domains, for clients that look up the names of a command line. None of them is stored, and a name
// is its own id. A list has one entry: the name in the query, or else the caller's own.
import { Get, Param } from '@nestjs/common';
import { PRACTICE_CLOUD_LIMITS } from '../../platform/config/limits/practice-cloud';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { listOf } from '../../platform/http/answer-schemas';
import { json, Operation } from '../../platform/http/operation.decorator';
import { QueryParams } from '../../platform/http/query-params';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { closed } from '../../platform/microversion/versioned-schema';
import { NotFound } from '../../platform/values/errors';
import { shown } from '../../platform/values/field-fault';
import { PracticeController } from '../practice-cloud.decorators';
import { ANY_DOCUMENT, BY_NAME, holding } from '../practice-cloud.responses';
import { DOMAIN_ID, presentDomain, presentList, presentProject, presentUser } from './identity.presenter';

const isName = (text: string): boolean => text !== '' && text.length <= PRACTICE_CLOUD_LIMITS.nameCharacters;

/** The list with the name in the query, or else the caller's own. */
function presentNamed(
  context: RequestContext,
  list: string,
  own: string | null | undefined,
  present: (context: RequestContext, name: string) => object,
): object {
  const name = QueryParams.parse(context.queryText).last('name') ?? own ?? '';
  return presentList(context, list, isName(name) ? [present(context, name)] : []);
}

function known(name: string, what: string): string {
  if (isName(name)) return name;
  throw new NotFound(`Could not find ${what}: ${shown(name)}.`);
}

const whole = (name: string): SchemaNode => json(closed({ [name]: listOf(ANY_DOCUMENT), links: ANY_DOCUMENT }));

@PracticeController('identity/v3')
export class NamesController {
  @Get('projects')
  @Operation('listIdentityProjects', 'Lists the project that is asked for, or that of the caller.', whole('projects'), {
    query: BY_NAME,
  })
  @Policy('berth:practice_cloud:identity:projects:list')
  projects(@Context() context: RequestContext): Answer {
    return ok(presentNamed(context, 'projects', context.principal?.projectId, presentProject));
  }

  @Get('auth/projects')
  @Operation('listIdentityOwnProjects', 'Lists the projects that the caller may have a token for.', whole('projects'), {
    query: BY_NAME,
  })
  @Policy('berth:practice_cloud:identity:projects:list')
  own(@Context() context: RequestContext): Answer {
    return this.projects(context);
  }

  @Get('users/:user_id/projects')
  @Operation('listIdentityUserProjects', 'Lists the projects of a user.', whole('projects'), { query: BY_NAME })
  @Policy('berth:practice_cloud:identity:projects:list')
  ofUser(@Context() context: RequestContext): Answer {
    return this.projects(context);
  }

  @Get('projects/:project_id')
  @Operation('showIdentityProject', 'Shows a project.', holding('project'))
  @Policy('berth:practice_cloud:identity:projects:show')
  project(@Param('project_id') name: string, @Context() context: RequestContext): Answer {
    return ok({ project: presentProject(context, known(name, 'project')) });
  }

  @Get('users')
  @Operation('listIdentityUsers', 'Lists the user that is asked for, or the caller.', whole('users'), {
    query: BY_NAME,
  })
  @Policy('berth:practice_cloud:identity:users:list')
  users(@Context() context: RequestContext): Answer {
    return ok(presentNamed(context, 'users', context.principal?.userId, presentUser));
  }

  @Get('users/:user_id')
  @Operation('showIdentityUser', 'Shows a user.', holding('user'))
  @Policy('berth:practice_cloud:identity:users:show')
  user(@Param('user_id') name: string, @Context() context: RequestContext): Answer {
    return ok({ user: presentUser(context, known(name, 'user')) });
  }

  @Get('domains')
  @Operation('listIdentityDomains', 'Lists the one domain.', whole('domains'))
  @Policy('berth:practice_cloud:identity:domains:list')
  domains(@Context() context: RequestContext): Answer {
    return ok(presentList(context, 'domains', [presentDomain(context)]));
  }

  @Get('domains/:domain_id')
  @Operation('showIdentityDomain', 'Shows the one domain.', holding('domain'))
  @Policy('berth:practice_cloud:identity:domains:show')
  domain(@Param('domain_id') id: string, @Context() context: RequestContext): Answer {
    if (id.toLowerCase() !== DOMAIN_ID) throw new NotFound(`Could not find domain: ${shown(id)}.`);
    return ok({ domain: presentDomain(context) });
  }
}
