// The request as the service parsed it, with the additions of the prefilters.
import { Alert, Anchor, Badge, Collapse, Group, Stack, Text } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import { useNamesOfAggregates } from '../../service/registries';
import { countOf } from '../../shown/amount';
import { Part } from '../../shown/part';
import { readable } from '../../shown/readable';
import { TraitChip } from '../../shown/trait-chip';
import { withNames } from '../../shown/uuid';
import { inkOf } from '../../theme';
import type { Decision, PrefilterRecord, UnderstoodRequest } from './decision-document';
import { factsOf } from './request-facts';

export function RequestPanel({ request }: { readonly request: UnderstoodRequest }) {
  const ignored = request.ignored.filter(({ field }) => !isOfClient(field));
  return (
    <Part title="The request">
      <Facts facts={factsOf(request, useNamesOfAggregates())} />
      {ignored.length > 0 && (
        <Alert color="yellow" p="xs" mt="sm" title={countOf(ignored.length, 'field ignored', 'fields ignored')}>
          {ignored.map(({ field, why }) => (
            <Text key={field} style={{ overflowWrap: 'anywhere' }}>
              <Text span ff="monospace" size="xs">
                {field}
              </Text>{' '}
              {why}
            </Text>
          ))}
        </Alert>
      )}
    </Part>
  );
}

/** Checksums and names that the openstack client writes to every image that it uploads. They have no effect anywhere. */
const isOfClient = (field: string): boolean => field.startsWith('image.properties.owner_specified.openstack.');

function Facts({ facts }: { readonly facts: ReturnType<typeof factsOf> }) {
  return (
    <Stack component="dl" gap={6} m={0}>
      {facts.map(({ name, text, pairs }) => (
        <Group key={name} gap="xs" wrap="nowrap" align="baseline">
          <Text component="dt" c="dimmed" w={110} style={{ flexShrink: 0 }}>
            {name}
          </Text>
          <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
            {text}
            {pairs.map((pair) => (
              <Text key={pair} span display="block" ff="monospace" size="xs">
                {pair}
              </Text>
            ))}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

/** Conditions that prefilters added to the Placement query, with their reasons. */
export function PrefilterPanel({ prefilters }: { readonly prefilters: Decision['prefilters'] }) {
  const address = useAddress();
  const ran = prefilters.filter((each) => each.ran);
  const rest = prefilters.filter((each) => !each.ran);
  const isOpen = address.get('prefilters') === 'all';
  return (
    <Part title="Conditions that prefilters added">
      <Stack gap="xs">
        {ran.length === 0 && <Text>None: no prefilter ran.</Text>}
        {ran.map((prefilter) => (
          <Added key={prefilter.name} prefilter={prefilter} />
        ))}
        {rest.length > 0 && (
          <div>
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-expanded={isOpen}
              onClick={() => address.set({ prefilters: isOpen ? undefined : 'all' })}
            >
              {isOpen ? 'Hide those that did not run' : `${countOf(rest.length, 'prefilter')} did not run`}
            </Anchor>
            <Collapse expanded={isOpen}>
              <Stack gap={2} mt={4}>
                {rest.map(({ name, why_not: why }) => (
                  <Text key={name} size="xs">
                    {name}: {why ?? 'did not run'}
                  </Text>
                ))}
              </Stack>
            </Collapse>
          </div>
        )}
      </Stack>
    </Part>
  );
}

function Added({ prefilter: { name, because, added, refused } }: { readonly prefilter: PrefilterRecord }) {
  const names = useNamesOfAggregates();
  const texts = [
    ...added.member_of.map((set) => `in ${set.join(' or ')}`),
    ...added.forbidden_aggregates.map((uuid) => `not in ${uuid}`),
    ...Object.entries(added.groups).map(([suffix, parts]) => `group ${suffix}: ${parts.join(', ')}`),
  ];
  const traits = [
    ...added.root_required.map((trait) => ['requires', trait] as const),
    ...added.root_forbidden.map((trait) => ['forbids', trait] as const),
  ];
  return (
    <div>
      <Text>
        <Text span fw={500} inherit>
          {name}
        </Text>
        {because !== null && `, because: ${withNames(because, names)}`}
      </Text>
      {refused !== undefined && <Text c={inkOf('red')}>{readable(refused.message)}</Text>}
      <Group gap={4} mt={2}>
        {traits.map(([verb, trait]) => (
          <Group key={trait} gap={4}>
            <Text size="xs">{verb}</Text>
            <TraitChip trait={trait} />
          </Group>
        ))}
        {texts.map((text) => (
          <Badge key={text} variant="default" fw={400} title={text}>
            {withNames(text, names)}
          </Badge>
        ))}
        {texts.length + traits.length === 0 && refused === undefined && <Text size="xs">nothing</Text>}
      </Group>
    </div>
  );
}
