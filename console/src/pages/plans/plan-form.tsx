// The form of a new plan. The address has its fields.
import { Button, MultiSelect, NumberInput, Paper, SegmentedControl, SimpleGrid, TagsInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useAddress } from '../../address/use-address';
import { faultOf } from '../../service/fault';
import { useTotalCapacity } from '../../service/questions';
import { useFlavorNames, useHostAggregateChoices, useServices, useZoneNames } from '../../service/registries';
import { useSession } from '../../session/session';
import type { ChoiceNames } from '../../shown/choice';
import { Choice } from '../../shown/choice';
import { FaultNotice } from '../../shown/fault-notice';
import { PageHead } from '../../shown/page-head';
import { submits } from '../../shown/submits';
import { useChange } from '../../shown/use-change';
import { errorAtField } from '../registries/field-fault';
import { bodyOf, fieldsOf, GOALS, labelOf, NAMES, NUMBERS } from './asked-plan';

export function PlanForm() {
  const address = useAddress();
  const { plans } = useSession().service.scheduler.scheduler;
  const navigate = useNavigate();
  const choices: Readonly<Record<string, ChoiceNames>> = {
    hosts: (useServices().data?.rows ?? []).map(({ host }) => host),
    host_aggregates: useHostAggregateChoices(),
    availability_zones: useZoneNames(),
    flavor: useFlavorNames(),
    resource_classes: Object.keys(useTotalCapacity().data?.groups[0]?.resource_classes ?? {}),
    over: ['hosts', 'zones'],
  };
  const goal = GOALS.find((each) => each === address.get('goal')) ?? 'drain';
  const fields = fieldsOf(goal);
  const { error, isPending, mutate, reset } = useChange({
    // The last letters typed are in the address before they are in the state of the page.
    run: () => plans.create(bodyOf(goal, location.search)),
    topics: ['registries'],
    done: ({ id }) => (void navigate(`/plans/${id}`), { title: 'The plan is made' }),
  });
  // An error of an entry is shown at its list.
  const detail = error === null ? '' : faultOf(error).detail.replace(/^'([\w.]+)\.\d+'/, "'$1'");
  const errors = errorAtField(detail, { fields });
  const setting = (name: string) => (value: string | number | string[]) => {
    reset();
    address.set({ [name]: value });
  };
  const controlOf = (name: string) => {
    const list = [...address.all(name)];
    const base = { label: labelOf(name), error: errors?.[`fields.${name}`], onChange: setting(name) };
    const names = choices[name.replace('stay.', '')] ?? [];
    if (NUMBERS.includes(name)) return <NumberInput key={name} {...base} defaultValue={list[0] ?? ''} min={1} />;
    if (NAMES.includes(name)) return <Choice key={name} {...base} names={names} value={list[0] ?? ''} placeholder="" />;
    if (names.length === 0) return <TagsInput key={name} {...base} value={list} />;
    return <MultiSelect key={name} {...base} value={list} data={[...names]} searchable clearable limit={60} />;
  };
  return (
    <>
      <PageHead title="New plan" above={{ name: 'Plans', to: '/plans' }} subtitle="Making a plan moves nothing." />
      <Paper withBorder p="md" component="form" onSubmit={submits(mutate)}>
        <SegmentedControl aria-label="Goal" tt="capitalize" data={GOALS} value={goal} onChange={setting('goal')} />
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm" my="md">
          {fields.map(controlOf)}
        </SimpleGrid>
        {error !== null && errors === undefined && <FaultNotice error={error} />}
        <Button type="submit" loading={isPending}>
          Make the plan
        </Button>
      </Paper>
    </>
  );
}
