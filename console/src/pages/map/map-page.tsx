// Usage of every host and room for a flavor: the whole cloud in one view.
import { Alert, Button, Paper, Skeleton, Stack } from '@mantine/core';
import type { RefObject } from 'react';
import { useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { CONSOLE_PATH } from '../../address/base';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import type { MapReport } from '../../service/reports';
import { useSession } from '../../session/session';
import { countOf } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { EmptyState } from '../../shown/empty-state';
import { IconAdjustmentsQuestion, IconPalette } from '../../shown/icons';
import { NoHostsYet } from '../../shown/no-hosts-yet';
import { PageHead } from '../../shown/page-head';
import { CsvButton, PngButton } from '../../shown/save-buttons';
import { scarcestOf } from '../../shown/scarcest';
import { AgeText, REFRESH } from '../overview/age-text';
import { whatIfOf } from '../what-if/asked-request';
import { MapCanvas } from './map-canvas';
import { MapChoices } from './map-choices';
import type { HostGroup } from './map-groups';
import { groupsOf, orderOf } from './map-groups';
import type { CellKind, Shades } from './map-kinds';
import { kindsIn, sentenceOf } from './map-kinds';
import { MapLegend } from './map-legend';
import type { GroupKind, Subject, SubjectKind } from './map-subject';
import { isAskable, mapQueryOf, subjectOf } from './map-subject';
import type { GroupSummary } from './map-summary';
import { mapCsv, MapTable, summariesOf } from './map-table';

/** An answer with its subject. While the next subject loads, the previous answer stays in its own colours. */
interface Shown {
  readonly subject: Subject;
  readonly report: MapReport;
}

export default function MapPage() {
  const address = useAddress();
  const { may } = useSession();
  const scarcest = useScarcest();
  const subject = subjectOf(address, scarcest);
  const by: GroupKind = address.get('group') === 'host_aggregate' ? 'host_aggregate' : 'availability_zone';
  const view = address.get('view') === 'table' ? 'table' : 'map';
  const question = useAnswer(
    'hosts',
    ['map', subject.kind, subject.name],
    async ({ reports }, signal): Promise<Shown> => ({
      subject,
      report: await reports.map(mapQueryOf(subject), { signal }),
    }),
    {
      enabled: isAskable(subject),
      // The service computes stranded amounts in the background, so they arrive without a change event.
      ...(subject.kind === 'stranded' && {
        everyMs: (answer: Shown | undefined) => REFRESH(answer?.report.stranded ?? undefined),
      }),
    },
  );
  const shown = question.data;
  const sight = useSight(shown, by);
  const picture = useRef<HTMLDivElement>(null);
  const isEmpty = shown?.report.hosts.length === 0;
  return (
    <>
      <PageHead
        title="Map"
        subtitle={
          sight !== undefined && !isEmpty && isAskable(subject) ? sentenceOf(sight.subject, sight.shades) : undefined
        }
        actions={
          sight !== undefined &&
          !isEmpty && (
            <>
              {subject.kind === 'flavor' && may('berth:scheduler:explain') && (
                <Button
                  component={Link}
                  to={whatIfOf(subject.name)}
                  size="xs"
                  leftSection={<IconAdjustmentsQuestion size={16} aria-hidden />}
                >
                  Why?
                </Button>
              )}
              {sight.report.stranded !== null && <AgeText answer={sight.report.stranded} of="Stranded" />}
              <CsvButton name="map" {...mapCsv(sight)} />
              {view === 'map' && <PngButton name="map" of={picture} />}
            </>
          )
        }
      />
      <Stack gap="sm">
        {!isEmpty && <MapChoices subject={subject} by={by} view={view} onChange={(changes) => address.set(changes)} />}
        {isAskable(subject) ? (
          <Answered question={question} waiting={<Skeleton h="60vh" aria-label="Loading" />}>
            {({ report }) => {
              if (sight === undefined) return null;
              if (report.hosts.length === 0) return <NoHostsYet />;
              return (
                <Stack gap="sm">
                  {report.truncated === true && <Truncated hosts={report.hosts.length} />}
                  {view === 'table' ? <MapTable {...sight} /> : <MapPicture sight={sight} by={by} frame={picture} />}
                </Stack>
              );
            }}
          </Answered>
        ) : subject.kind === 'use' || subject.kind === 'stranded' ? (
          <Skeleton h="60vh" aria-label="Loading" />
        ) : (
          <Unasked kind={subject.kind} />
        )}
      </Stack>
    </>
  );
}

const USUAL_CLASS = 'VCPU';

/** The scarcest class of the cloud; '' until it is known. */
function useScarcest(): string {
  const { may } = useSession();
  const isAllowed = may('berth:reports:capacity');
  const total = useAnswer(
    'hosts',
    ['capacity', 'total'],
    ({ reports }, signal) => reports.capacity({ group_by: 'total' }, { signal }),
    { enabled: isAllowed },
  );
  // The class of the first answer stays, so that the map does not change its subject by itself.
  const [first, setFirst] = useState<string>();
  const found = total.data && (scarcestOf(total.data.groups[0]?.resource_classes ?? {}) ?? USUAL_CLASS);
  if (first === undefined && found !== undefined) setFirst(found);
  return first ?? (isAllowed && total.error === null ? '' : USUAL_CLASS);
}

function MapPicture({ sight, by, frame }: { sight: Sight; by: GroupKind; frame: RefObject<HTMLDivElement | null> }) {
  const address = useAddress();
  const navigate = useNavigate();
  const { subject, report, groups, shades } = sight;
  const chosen = shades.kinds.findIndex(({ key }) => key === address.get('only'));
  const only = chosen === -1 ? undefined : chosen;
  return (
    <Paper withBorder p="md" ref={frame}>
      <Stack gap="md">
        <MapLegend
          of={subject.kind === 'stranded' ? 'stranded' : 'used'}
          kinds={shades.kinds}
          counts={shades.counts}
          only={only}
          onOnly={(kind) => address.set({ only: kind === undefined ? '' : shades.kinds[kind]?.key })}
        />
        <MapCanvas
          key={by}
          label={`Map of ${countOf(report.hosts.length, 'host')}`}
          report={report}
          groups={groups}
          subject={subject}
          kinds={shades.kinds}
          kindOf={shades.of}
          only={only}
          onOpen={([uuid], isElsewhere) => {
            if (isElsewhere) window.open(`${CONSOLE_PATH}/hosts/${uuid}`);
            else void navigate(`/hosts/${uuid}`);
          }}
        />
      </Stack>
    </Paper>
  );
}

function Truncated({ hosts }: { readonly hosts: number }) {
  return (
    <Alert color="yellow" title={`The first ${countOf(hosts, 'host')} only`}>
      The cloud has more hosts than one map shows.
    </Alert>
  );
}

function Unasked({ kind }: { readonly kind: SubjectKind }) {
  return (
    <EmptyState icon={IconPalette} title={`Choose a ${kind}`}>
      {kind === 'flavor'
        ? 'The map then shows where there is room for one more instance of it.'
        : 'The map then shows which hosts have it.'}
    </EmptyState>
  );
}

/** All values derived from one answer. */
interface Sight extends Shown {
  readonly by: GroupKind;
  readonly shades: Shades;
  readonly groups: readonly HostGroup[];
  readonly summaries: readonly GroupSummary[];
  readonly kinds: readonly CellKind[];
}

function useSight(shown: Shown | undefined, by: GroupKind): Sight | undefined {
  const order = useOrder(shown?.report.hosts ?? NO_HOSTS);
  return useMemo(() => {
    if (shown === undefined) return undefined;
    const shades = kindsIn(shown.subject, shown.report);
    const groups = groupsOf(shown.report, by, order);
    return { ...shown, by, shades, groups, kinds: shades.kinds, summaries: summariesOf(groups, shown.report, shades) };
  }, [shown, by, order]);
}

const NO_HOSTS: MapReport['hosts'] = [];

/** Sorted again only if the set of hosts changes; usage changes far more often than names. */
function useOrder(hosts: MapReport['hosts']): readonly number[] {
  const names = hosts.map(([, name]) => name).join(BETWEEN_NAMES);
  return useMemo(() => orderOf(names.split(BETWEEN_NAMES)), [names]);
}

const BETWEEN_NAMES = '\u0000';
