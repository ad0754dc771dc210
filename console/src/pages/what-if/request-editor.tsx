// Edits the hypothetical request.
import { Alert, Button, Grid, Group, JsonInput, NumberInput, Paper, Select, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useFlavorNames, useZoneNames } from '../../service/names';
import { useUnsaved } from '../../shell/unsaved';
import { IconPlayerPlay } from '../../shown/icons';
import type { RequestBody } from '../decision/request-again';
import { useImages, useServerGroups } from '../registries/use-registries';
import type { RequestFields } from './asked-request';
import { bodyOf } from './asked-request';

interface Props {
  readonly fields: RequestFields;
  readonly isBusy: boolean;
  readonly onAsk: (body: RequestBody) => void;
}

const MOST = 1_000;

export function RequestEditor({ fields: given, isBusy, onAsk }: Props) {
  const [fields, setFields] = useState(given);
  useUnsaved(fields !== given);
  const [fault, setFault] = useState<string>();
  const [hasRest, setHasRest] = useState(given.rest !== '');
  const options = useRequestOptions();
  const set = (changed: Partial<RequestFields>): void => setFields({ ...fields, ...changed });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = bodyOf(fields);
    setFault('fault' in read ? read.fault : undefined);
    if ('body' in read) onAsk(read.body);
  };
  const choice = (label: string, key: 'flavor' | 'image' | 'zone' | 'group', data: readonly Choice[], none: string) => (
    <Select
      label={label}
      size="xs"
      searchable
      clearable
      placeholder={none}
      limit={50}
      data={[...data]}
      value={fields[key] === '' ? null : fields[key]}
      onChange={(value) => set({ [key]: value ?? '' })}
      comboboxProps={{ transitionProps: { duration: 0 } }}
    />
  );
  return (
    <Paper withBorder p="md" component="section" aria-label="Request">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Grid gap="sm" align="flex-end">
            <Grid.Col span={{ base: 12, xs: 6, md: 3 }}>
              {choice('Flavor', 'flavor', options.flavors, fields.rest.includes('"flavor"') ? 'described below' : '')}
            </Grid.Col>
            <Grid.Col span={{ base: 12, xs: 6, md: 3 }}>{choice('Image', 'image', options.images, 'none')}</Grid.Col>
            <Grid.Col span={{ base: 6, xs: 4, md: 2 }}>
              <NumberInput
                label="Instances"
                size="xs"
                min={1}
                max={MOST}
                allowDecimal={false}
                value={fields.count}
                onChange={(value) => set({ count: String(value) })}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 6, xs: 4, md: 2 }}>{choice('Zone', 'zone', options.zones, 'any')}</Grid.Col>
            <Grid.Col span={{ base: 12, xs: 4, md: 2 }}>
              {choice('Server group', 'group', options.groups, 'none')}
            </Grid.Col>
            <Grid.Col span={{ base: 6, md: 3 }}>
              <TextInput
                label="Project"
                size="xs"
                value={fields.project}
                onChange={(event) => set({ project: event.currentTarget.value })}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 6, md: 3 }}>
              <TextInput
                label="User"
                size="xs"
                value={fields.user}
                onChange={(event) => set({ user: event.currentTarget.value })}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Group justify="flex-end" gap="xs">
                {!hasRest && (
                  <Button variant="subtle" size="xs" onClick={() => setHasRest(true)}>
                    Further fields
                  </Button>
                )}
                <Button type="submit" size="xs" loading={isBusy} leftSection={<IconPlayerPlay size={14} aria-hidden />}>
                  Ask
                </Button>
              </Group>
            </Grid.Col>
          </Grid>
          {hasRest && (
            <JsonInput
              label="Further fields"
              description="Scheduler hints, hosts to ignore, requested networks, a flavor that is registered nowhere: whatever a request may hold, as JSON."
              size="xs"
              autosize
              minRows={3}
              maxRows={14}
              formatOnBlur
              validationError="This is no JSON."
              value={fields.rest}
              onChange={(rest) => set({ rest })}
            />
          )}
          {fault !== undefined && (
            <Alert color="red" role="alert">
              {fault}
            </Alert>
          )}
        </Stack>
      </form>
    </Paper>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

function useRequestOptions() {
  const sameText = (name: string): Choice => ({ value: name, label: name });
  return {
    flavors: useFlavorNames().map(sameText),
    images: (useImages().data?.rows ?? []).map(({ uuid, name }) => ({ value: uuid, label: name ?? uuid })),
    zones: useZoneNames().map(sameText),
    groups: (useServerGroups().data?.rows ?? []).map(({ uuid, name, policy }) => ({
      value: uuid,
      label: `${name} (${policy})`,
    })),
  };
}
