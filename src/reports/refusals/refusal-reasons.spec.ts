import type { DecisionDocument } from '../../scheduler/decisions/decision.presenter';
import { reasonsOf } from './refusal-reasons';

const SAID = { code: 'scheduler.no_valid_host', sentence: 'No host had room.' };
const pass = (facts: object = {}): object => ({ phase: 'select', stages: [], claims_tried: {}, claims: [], ...facts });
const document = (facts: object): DecisionDocument =>
  ({ summary: { rejected: {} }, placement: null, passes: [], ...facts }) as object as DecisionDocument;

describe('the reasons of a refused decision', () => {
  it('are the rejections of hosts, with the message for one of them', () => {
    const stages = [
      {
        name: 'RamFilter',
        rejections: {
          hosts: [
            { code: 'other', message: 'no' },
            { code: 'full', message: 'is full' },
          ],
        },
      },
    ];
    const given = document({ summary: { rejected: { 'RamFilter.full': 3 } }, passes: [pass({ stages })] });
    expect(reasonsOf(given, SAID)).toEqual([{ name: 'RamFilter', code: 'full', hosts: 3, sentence: 'is full' }]);
  });

  it('are the conditions of the cause, although hosts fail others before', () => {
    const condition = (name: string) => ({
      kind: 'resource',
      what: name,
      names: [name],
      amount: 1,
      groups: [''],
      origins: [],
    });
    const count = (name: string, failed: number) => ({
      condition: condition(name),
      failed,
      never: 0,
      text: `${failed} lack`,
    });
    const summary = {
      rejected: { 'placement.not_enough_left': 4, 'placement.no_inventory': 2 },
      cause: [condition('VGPU')],
      counts: [count('VGPU', 6), count('MEMORY_MB', 4)],
    };
    const [name, code] = ['placement', 'resource.VGPU'];
    expect(reasonsOf(document({ summary }), SAID)).toEqual([{ name, code, hosts: 6, sentence: SAID.sentence }]);
    const both = { ...summary, cause: [condition('VGPU'), condition('MEMORY_MB')] };
    expect(reasonsOf(document({ summary: both }), SAID).map(({ sentence }) => sentence)).toEqual(['6 lack', '4 lack']);
  });

  it('of a document of an earlier version are the rejections of hosts', () => {
    const summary = { rejected: { 'A.b': 2 }, cause: { kind: 'unmet', conditions: ['resources=VGPU:1'] } };
    expect(reasonsOf(document({ summary }), SAID)).toEqual([
      { name: 'A', code: 'b', hosts: 2, sentence: SAID.sentence },
    ]);
  });

  it('have the sentence of the decision if no host is listed', () => {
    const given = document({ summary: { rejected: { 'A.b.c': 2 } } });
    expect(reasonsOf(given, SAID)).toEqual([{ name: 'A', code: 'b.c', hosts: 2, sentence: SAID.sentence }]);
  });

  it('are the rejections of roots by placement', () => {
    const rejections = { hosts: [{ code: 'no_room', message: 'has no room' }] };
    const given = document({ summary: { rejected: { 'placement.no_room': 5 } }, placement: { rejections } });
    expect(reasonsOf(given, SAID)).toEqual([{ name: 'placement', code: 'no_room', hosts: 5, sentence: 'has no room' }]);
  });

  it('are failed claims, not successful ones', () => {
    const claims = [{ outcome: 'claimed' }, { outcome: 'no_capacity', message: 'another process was faster' }];
    const tried = pass({ claims_tried: { claimed: 1, no_capacity: 2 }, claims });
    const alternates = { ...pass({ claims_tried: { conflict: 1 } }), phase: 'alternates' };
    expect(reasonsOf(document({ passes: [tried, alternates] }), SAID)).toEqual([
      { name: 'claim', code: 'no_capacity', hosts: 2, sentence: 'another process was faster' },
    ]);
  });

  it.each([
    ['scheduler.invalid_request', 'request'],
    ['scheduler.no_candidates', 'placement'],
    ['scheduler.claims_lost', 'claim'],
    [null, 'request'],
  ])('of a decision with the code %s and without hosts have the name %s', (code, name) => {
    expect(reasonsOf(document({}), { ...SAID, code })).toEqual([
      { name, code: code ?? 'none', hosts: 0, sentence: SAID.sentence },
    ]);
  });
});
