import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
// The hosts rejected at a stage and why: the service's sentences, sorted by the number of hosts.
import { hostsNamedPath } from '../../address/path-to';
import { countOf } from '../../shown/amount';
import { readable } from '../../shown/readable';
import type { HostRef } from './decision-document';
import type { FallenGroup } from './decision-stages';

/** Further names are only counted. */
const NAMES_SHOWN = 12;
const SENTENCES_SHOWN = 8;

export function FallenHosts({ groups }: { readonly groups: readonly FallenGroup[] }) {
  return (
    <>
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {groups.map((group) => (
          <li key={group.code}>
            <FallenBy group={group} />
          </li>
        ))}
      </Stack>
      {groups.some((group) => unnamedIn(group) > 0) && (
        <Text size="xs" c="dimmed" mt="sm">
          About those that are not named here one can ask by name.
        </Text>
      )}
    </>
  );
}

const unnamedIn = ({ sentences, unlisted }: FallenGroup): number =>
  sentences.slice(SENTENCES_SHOWN).reduce((sum, { hosts }) => sum + hosts.length, unlisted);

function FallenBy({ group }: { readonly group: FallenGroup }) {
  const { code, count, sentences } = group;
  const unnamed = unnamedIn(group);
  return (
    <>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={600}>
          {countOf(count, 'host')}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {code}
        </Text>
      </Group>
      <Stack gap={6}>
        {sentences.slice(0, SENTENCES_SHOWN).map(({ message, hosts }) => (
          <div key={message}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {readable(message)}
            </Text>
            <HostNames hosts={hosts} />
          </div>
        ))}
        {sentences.length > 0 && unnamed > 0 && (
          <Text size="xs" c="dimmed">{`And ${countOf(unnamed, 'more host', 'more hosts')}.`}</Text>
        )}
      </Stack>
    </>
  );
}

/** Host names as links. */
function HostNames({ hosts }: { readonly hosts: readonly HostRef[] }) {
  const more = hosts.length - NAMES_SHOWN;
  return (
    <Group gap={8}>
      {hosts.slice(0, NAMES_SHOWN).map((host) => (
        <HostAnchor key={host.uuid ?? `${host.host}\n${host.node ?? ''}`} host={host} />
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          and {countOf(more, 'more', 'more')}
        </Text>
      )}
    </Group>
  );
}

/** Links to the host if its uuid is known, otherwise to the list of hosts with that name. */
export function HostAnchor({ host }: { readonly host: HostRef }) {
  const { uuid, node } = host;
  const text = node === undefined || node === host.host ? host.host : `${host.host} (${node})`;
  const to = uuid === undefined ? hostsNamedPath(node ?? host.host) : `/hosts/${uuid}`;
  return (
    <Anchor component={Link} to={to} size="xs">
      {text}
    </Anchor>
  );
}
