// The hosts rejected at a stage and why: the service's sentences, sorted by the number of hosts.
import { Group, Stack, Text } from '@mantine/core';
import { hostsNamedPath } from '../../address/path-to';
import { countOf } from '../../shown/amount';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { Sentence } from '../../shown/sentence';
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
        <Note mt="sm">About those that are not named here one can ask by name.</Note>
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
        <Text fw={600}>{countOf(count, 'host')}</Text>
        <Note ff="monospace">{code}</Note>
      </Group>
      <Stack gap={6}>
        {sentences.slice(0, SENTENCES_SHOWN).map(({ message, hosts }) => (
          <div key={message}>
            <Sentence text={message} />
            <HostNames hosts={hosts} />
          </div>
        ))}
        {sentences.length > 0 && unnamed > 0 && <Note>{`And ${countOf(unnamed, 'more host', 'more hosts')}.`}</Note>}
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
      {more > 0 && <Note>and {countOf(more, 'more', 'more')}</Note>}
    </Group>
  );
}

/** Links to the host if its uuid is known, otherwise to the list of hosts with that name. */
export function HostAnchor({ host }: { readonly host: HostRef }) {
  const { uuid, node } = host;
  const text = node === undefined || node === host.host ? host.host : `${host.host} (${node})`;
  const to = uuid === undefined ? hostsNamedPath(node ?? host.host) : `/hosts/${uuid}`;
  return (
    <PageLink to={to} size="xs">
      {text}
    </PageLink>
  );
}
