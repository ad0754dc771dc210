// The overview: problems first, then capacity and usage.
import { Grid, Stack } from '@mantine/core';
import { useTotalCapacity } from '../../service/questions';
import { useSession } from '../../session/session';
import { Answered } from '../../shown/answered';
import { NoHostsYet } from '../../shown/no-hosts-yet';
import { PageHead } from '../../shown/page-head';
import { AdvicePanel } from './advice-panel';
import { REFRESH } from './age-text';
import { CapacityPanel } from './capacity-panel';
import { FlavorsPanel } from './flavors-panel';
import { GroupsPanel } from './groups-panel';
import { HistoryPanel } from './history-panel';
import { HostsPanel } from './hosts-panel';
import { RefusalsPanel } from './refusals-panel';

export default function OverviewPage() {
  const { may } = useSession();
  // The service computes stranded capacity in the background, so it can arrive without a change event.
  const cloud = useTotalCapacity({ everyMs: (report) => REFRESH(report?.stranded) });
  return (
    <>
      <PageHead title="Overview" />
      <Answered question={cloud}>
        {(report) => {
          const [all] = report.groups;
          if (all === undefined || all.hosts === 0) return <NoHostsYet />;
          return (
            <Grid gap="md">
              <Grid.Col span={{ base: 12, lg: 8 }}>
                <Stack gap="md">
                  {may('berth:reports:advice') && <AdvicePanel />}
                  <CapacityPanel report={report} />
                  <GroupsPanel />
                </Stack>
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 4 }}>
                <Stack gap="md">
                  <HostsPanel cloud={all} />
                  {may('berth:reports:refusals') && <RefusalsPanel />}
                  {may('berth:reports:history') && <HistoryPanel />}
                </Stack>
              </Grid.Col>
              {may('berth:reports:flavors') && (
                <Grid.Col span={12}>
                  <FlavorsPanel />
                </Grid.Col>
              )}
            </Grid>
          );
        }}
      </Answered>
    </>
  );
}
