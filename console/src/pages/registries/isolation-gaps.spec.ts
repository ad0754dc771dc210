import { isolationGaps } from './isolation-gaps';

const aggregate = (name: string, metadata: Readonly<Record<string, string>>, hosts: readonly string[]) => ({
  uuid: name,
  name,
  availability_zone: null,
  metadata: { ...metadata },
  hosts: [...hosts],
  generation: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
});

const windows = aggregate('windows', { os_type: 'windows', rack: '1' }, ['h1']);
const zone = aggregate('zone', { availability_zone: 'az1' }, ['h1', 'h2']);
const images = [{ os_type: 'windows' }, { hw_disk_bus: 'ide' }];

describe('hosts that a key of isolation says nothing of', () => {
  it('are those in no aggregate with the key', () => {
    expect(isolationGaps([windows, zone], images, ['h1', 'h2', 'h3'])).toEqual([
      { key: 'os_type', values: ['windows'], hosts: ['h2', 'h3'], aggregates: ['zone'] },
    ]);
  });

  it('are none once the others say what they are for', () => {
    const linux = aggregate('linux', { os_type: 'linux' }, ['h2', 'h3']);
    expect(isolationGaps([windows, zone, linux], images, ['h1', 'h2', 'h3'])).toEqual([]);
  });

  it('are none where no image asks for the key', () => {
    expect(isolationGaps([windows], [{ hw_disk_bus: 'ide' }], ['h2'])).toEqual([]);
  });
});
