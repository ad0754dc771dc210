// Edits the hypothetical request.
import { Alert, Button, Group, JsonInput, NumberInput, Paper, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useFlavorNames, useImages, useServerGroups, useZoneNames } from '../../service/registries';
import { useUnsaved } from '../../shell/unsaved';
import { Choice } from '../../shown/choice';
import { IconPlayerPlay } from '../../shown/icons';
import { submits } from '../../shown/submits';
import type { RequestBody } from '../decision/request-again';
import type { RequestFields } from './asked-request';
import { bodyOf } from './asked-request';

interface Props {
  readonly fields: RequestFields;
  readonly onAsk: (body: RequestBody) => void;
}

const MOST = 1_000;

export function RequestEditor({ fields: given, onAsk }: Props) {
  const [fields, setFields] = useState(given);
  useUnsaved(fields !== given);
  const [fault, setFault] = useState<string>();
  const [hasRest, setHasRest] = useState(given.rest !== '');
  const options = useRequestOptions();
  const set = (changed: Partial<RequestFields>): void => setFields({ ...fields, ...changed });
  const submit = submits(() => {
    const read = bodyOf(fields);
    setFault('fault' in read ? read.fault : undefined);
    if ('body' in read) onAsk(read.body);
  });
  const field = (key: keyof RequestFields, label: string) => ({
    label,
    value: fields[key],
  });
  const choice = (key: 'flavor' | 'image' | 'zone' | 'group', label: string, placeholder: string) => (
    <Choice
      {...field(key, label)}
      placeholder={placeholder}
      names={options[key]}
      onChange={(value) => set({ [key]: value })}
    />
  );
  const text = (key: 'project' | 'user', label: string) => (
    <TextInput {...field(key, label)} onChange={(event) => set({ [key]: event.currentTarget.value })} />
  );
  return (
    <Paper withBorder p="md" component="section" aria-label="Request">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" verticalSpacing="sm">
            {choice('flavor', 'Flavor', fields.rest.includes('"flavor"') ? 'described below' : '')}
            {choice('image', 'Image', 'none')}
            {choice('zone', 'Zone', 'any')}
            {choice('group', 'Server group', 'none')}
            <NumberInput
              {...field('count', 'Instances')}
              min={1}
              max={MOST}
              allowDecimal={false}
              onChange={(value) => set({ count: String(value) })}
            />
            {text('project', 'Project')}
            {text('user', 'User')}
            <Group justify="flex-end" align="flex-end" gap="xs">
              {!hasRest && (
                <Button variant="subtle" onClick={() => setHasRest(true)}>
                  Further fields
                </Button>
              )}
              <Button type="submit" leftSection={<IconPlayerPlay size={14} />}>
                Ask
              </Button>
            </Group>
          </SimpleGrid>
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

function useRequestOptions() {
  return {
    flavor: useFlavorNames(),
    image: (useImages().data?.rows ?? []).map(({ uuid, name }) => ({ value: uuid, label: name ?? uuid })),
    zone: useZoneNames(),
    group: (useServerGroups().data?.rows ?? []).map(({ uuid, name, policy }) => ({
      value: uuid,
      label: `${name} (${policy})`,
    })),
  };
}
