// THE table: every change of the contract, by the name the code uses for it.
// This is the only file that contains version numbers; everything else asks for a feature by name.
import { MicroversionTable } from '../platform/microversion/microversion-table';

interface Row<F extends string> {
  readonly version: string;
  readonly features: readonly F[];
  readonly summary: string;
}

function row<const F extends string>(version: string, features: readonly F[], summary: string): Row<F> {
  return { version, features, summary };
}

const ROWS = [
  row('1.0', ['base'], 'Resource providers, inventories, usages, allocations'),
  row('1.1', ['aggregatesApi'], 'GET and PUT /resource_providers/{uuid}/aggregates'),
  row('1.2', ['resourceClassesApi'], '/resource_classes and /resource_classes/{name}'),
  row('1.3', ['providersMemberOf'], '`member_of` on GET /resource_providers'),
  row('1.4', ['providersByResources'], '`resources` on GET /resource_providers'),
  row('1.5', ['inventoriesDelete'], 'DELETE /resource_providers/{uuid}/inventories'),
  row('1.6', ['traitsApi'], '/traits and /resource_providers/{uuid}/traits'),
  row('1.7', ['resourceClassPutIdempotent'], 'PUT /resource_classes/{name} creates or confirms, without a body'),
  row('1.8', ['consumerOwner'], '`project_id` and `user_id` required in PUT /allocations/{consumer}'),
  row('1.9', ['usagesApi'], 'GET /usages'),
  row('1.10', ['allocationCandidatesApi'], 'GET /allocation_candidates'),
  row('1.11', ['allocationsLink'], 'Link `allocations` on resource providers'),
  row(
    '1.12',
    ['allocationsAsDict', 'consumerOwnerShown'],
    'Allocations are an object keyed by provider; GET shows `project_id` and `user_id`',
  ),
  row('1.13', ['allocationsPost'], 'POST /allocations'),
  row('1.14', ['nestedProviders'], 'Provider trees: parent and root of a provider; `in_tree` on the list'),
  row('1.15', ['lastModified'], '`last-modified` and `cache-control` headers'),
  row('1.16', ['candidatesLimit'], '`limit` on GET /allocation_candidates'),
  row('1.17', ['candidatesRequired', 'candidatesTraits'], '`required` on candidates; traits in provider summaries'),
  row('1.18', ['providersRequired'], '`required` on GET /resource_providers'),
  row('1.19', ['aggregateGeneration'], 'Aggregates carry and check the provider generation'),
  row('1.20', ['providerInPostResponse'], 'POST /resource_providers answers with the provider'),
  row('1.21', ['candidatesMemberOf'], '`member_of` on GET /allocation_candidates'),
  row('1.22', ['forbiddenTraits'], 'Forbidden traits (`!`) in `required`'),
  row('1.23', ['errorCodes'], '`code` in error documents'),
  row('1.24', ['repeatedMemberOf'], 'Repeated `member_of`, all of which must hold'),
  row('1.25', ['granularGroups'], 'Numbered request groups and `group_policy` on candidates'),
  row('1.26', ['reservedCanBeTotal'], '`reserved` of an inventory may equal its `total`'),
  row('1.27', ['summariesAllResources'], 'Provider summaries list all resource classes of a provider'),
  row('1.28', ['consumerGeneration'], 'Consumers have a generation; writers must state it'),
  row('1.29', ['nestedCandidates'], 'Candidates from trees; parent and root in provider summaries'),
  row('1.30', ['reshaperApi'], 'POST /reshaper'),
  row('1.31', ['candidatesInTree'], '`in_tree` on GET /allocation_candidates'),
  row('1.32', ['forbiddenAggregates'], 'Forbidden aggregates (`!`) in `member_of`'),
  row('1.33', ['stringSuffixes'], 'Request group suffixes may be text'),
  row('1.34', ['mappings'], '`mappings` in candidates; accepted in allocation writes'),
  row('1.35', ['rootRequired'], '`root_required` on GET /allocation_candidates'),
  row('1.36', ['sameSubtree'], '`same_subtree` and groups without resources'),
  row('1.37', ['reparenting'], 'PUT /resource_providers/{uuid} may re-parent and un-parent'),
  row('1.38', ['consumerType'], '`consumer_type` in allocations, reshaper and usages'),
  row('1.39', ['anyTraits'], '`required=in:…` and repeated `required`'),
] as const;

declare module '../platform/microversion/api-version' {
  interface MicroversionFeatures {
    readonly table: (typeof ROWS)[number]['features'][number];
  }
}

export const MICROVERSIONS = new MicroversionTable(ROWS);
