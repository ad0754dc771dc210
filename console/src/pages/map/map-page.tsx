// Usage of every host and room for a flavor: the whole cloud in one view.
import { Alert, Button, Paper, Stack } from '@mantine/core';
import type { RefObject } from 'react';
import { useMemo, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { CONSOLE_PATH } from '../../address/base';
import { useAddress } from '../../address/use-address';
import { useAnswer, useTotalCapacity } from '../../service/questions';
import type { CapacityGroup, MapReport } from '../../service/reports';
import type { Service } from '../../service/service';
import { useSession } from '../../session/session';
import { countOf } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { EmptyState } from '../../shown/empty-state';
import type { GroupKind } from '../../shown/group-kind';
import { groupKindOf } from '../../shown/group-kind';
import { IconAdjustmentsQuestion } from '../../shown/icons';
import { NoHostsYet } from '../../shown/no-hosts-yet';
import { PageHead } from '../../shown/page-head';
import { CsvButton, PngButton } from '../../shown/save-buttons';
import { scarcestFirst } from '../../shown/scarcest';
import { Waiting } from '../../shown/waiting';
import { AgeText, REFRESH } from '../overview/age-text';
import { whatIfOf } from '../what-if/asked-request';
import { MapCanvas } from './map-canvas';
import { MapChoices } from './map-choices';
import type { HostGroup } from './map-groups';
import { groupsOf, orderOf } from './map-groups';
import type { Shades } from './map-kinds';
import { shadesOf } from './map-kinds';
import { MapLegend } from './map-legend';
import type { Subject } from './map-subject';
import { isAskable, mapQueryOf, subjectOf } from './map-subject';
import { summaryOf } from './map-summary';
import { mapFields, MapTable } from './map-table';

/** An answer with its subject. While the next subject loads, the previous answer stays in its own colours. */
interface Shown {
  readonly subject: Subject;
  readonly report: MapReport;
}

export default function MapPage() {
  const address = useAddress();
  const scarcest = useScarcest();
  const subject = subjectOf(address, scarcest);
  const by = groupKindOf(address);
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
      everyMs: subject.kind === 'stranded' ? (answer) => REFRESH(answer?.report.stranded ?? undefined) : undefined,
    },
  );
  const sight = useSight(question.data, by);
  const picture = useRef<HTMLDivElement>(null);
  const isEmpty = sight?.report.hosts.length === 0;
  return (
    <>
      <PageHead
        title="Map"
        subtitle={sight !== undefined && !isEmpty && isAskable(subject) ? sight.shades.sentence : undefined}
        actions={
          sight !== undefined && !isEmpty && <Actions sight={sight} picture={view === 'map' ? picture : undefined} />
        }
      />
      <Stack gap="sm">
        {!isEmpty && <MapChoices subject={subject} by={by} />}
        {isAskable(subject) ? (
          <Answered question={question}>
            {({ report: { hosts, truncated } }) => {
              if (sight === undefined) return null;
              if (hosts.length === 0) return <NoHostsYet />;
              return (
                <Stack gap="sm">
                  {truncated && (
                    <Alert color="yellow" title={`The first ${countOf(hosts.length, 'host')} only`}>
                      The cloud has more hosts than one map shows.
                    </Alert>
                  )}
                  {view === 'table' ? (
                    <MapTable {...sight} summaries={summariesOf(sight)} kinds={sight.shades.kinds} />
                  ) : (
                    <MapPicture sight={sight} frame={picture} />
                  )}
                </Stack>
              );
            }}
          </Answered>
        ) : (
          (UNASKED[subject.kind] ?? <Waiting />)
        )}
      </Stack>
    </>
  );
}

const UNASKED: Readonly<Partial<Record<Subject['kind'], React.ReactNode>>> = {
  flavor: (
    <EmptyState title="Choose a flavor">The map then shows where there is room for one more instance of it.</EmptyState>
  ),
  trait: <EmptyState title="Choose a trait">The map then shows which hosts have it.</EmptyState>,
};

interface ActionProps {
  readonly sight: Sight;
  readonly picture: RefObject<HTMLDivElement | null> | undefined;
}

function Actions({ sight, picture }: ActionProps) {
  const { may } = useSession();
  const { subject, report, shades } = sight;
  return (
    <>
      {subject.kind === 'flavor' && may('berth:scheduler:explain') && (
        <Button component={Link} to={whatIfOf(subject.name)} leftSection={<IconAdjustmentsQuestion size={16} />}>
          Why?
        </Button>
      )}
      {report.stranded !== null && <AgeText answer={report.stranded} of="Stranded" />}
      <CsvButton name="map" fields={mapFields(shades.kinds)} rows={() => summariesOf(sight)} />
      {picture !== undefined && <PngButton name="map" of={picture} />}
    </>
  );
}

const USUAL_CLASS = 'VCPU';

const CLASSES_TRIED = 6;

/** The scarcest class that most hosts have; '' until it is known. It stays, so the map keeps its subject. */
function useScarcest(): string {
  const capacity = useTotalCapacity();
  const cloud = capacity.data?.groups[0];
  const { data, error } = useAnswer(
    'fixed',
    ['scarcest'],
    (service, signal) => scarcestOfMost(service, cloud, signal),
    {
      enabled: cloud !== undefined,
    },
  );
  return data ?? (capacity.isEnabled && (capacity.error ?? error) === null ? '' : USUAL_CLASS);
}

async function scarcestOfMost({ reports }: Service, cloud: CapacityGroup | undefined, signal: AbortSignal) {
  for (const name of scarcestFirst(cloud?.resource_classes ?? {}).slice(0, CLASSES_TRIED)) {
    const { count } = await reports.hosts.list({ resource_class: name, limit: 1 }, { signal });
    if (2 * count > (cloud?.hosts ?? 0)) return name;
  }
  return USUAL_CLASS;
}

interface PictureProps {
  readonly sight: Sight;
  readonly frame: RefObject<HTMLDivElement | null>;
}

function MapPicture({ sight: { subject, report, by, groups, shades }, frame }: PictureProps) {
  const address = useAddress();
  const navigate = useNavigate();
  const only = shades.kinds.find(({ key }) => key === address.get('only'))?.key;
  return (
    <Paper withBorder p="md" ref={frame}>
      <Stack gap="md">
        <MapLegend
          of={subject.kind === 'stranded' ? 'stranded' : 'used'}
          shades={shades}
          only={only}
          onOnly={(key) => address.set({ only: key })}
        />
        <MapCanvas
          key={by}
          label={`Map of ${countOf(report.hosts.length, 'host')}`}
          report={report}
          groups={groups}
          shades={shades}
          only={only}
          onOpen={({ uuid }, isElsewhere) => {
            if (isElsewhere) window.open(`${CONSOLE_PATH}/hosts/${uuid}`);
            else void navigate(`/hosts/${uuid}`);
          }}
        />
      </Stack>
    </Paper>
  );
}

/** All values derived from one answer. */
interface Sight extends Shown {
  readonly by: GroupKind;
  readonly shades: Shades;
  readonly groups: readonly HostGroup[];
}

function useSight(shown: Shown | undefined, by: GroupKind): Sight | undefined {
  const order = useOrder(shown?.report.hosts ?? NO_HOSTS);
  return useMemo(() => {
    if (shown === undefined) return undefined;
    return { ...shown, by, shades: shadesOf(shown.subject, shown.report), groups: groupsOf(shown.report, by, order) };
  }, [shown, by, order]);
}

const summariesOf = ({ groups, report, shades }: Sight) => groups.map((group) => summaryOf(group, report, shades));

const NO_HOSTS: MapReport['hosts'] = [];

/** Sorted again only if the set of hosts changes; usage changes far more often than names. */
function useOrder(hosts: MapReport['hosts']): readonly number[] {
  const names = hosts.map(({ name }) => name).join(BETWEEN_NAMES);
  return useMemo(() => orderOf(names.split(BETWEEN_NAMES)), [names]);
}

const BETWEEN_NAMES = '\u0000';
