// The steps of the guided first visit, and whether this browser has seen it.

interface Step {
  readonly path: string;
  /** The step is left out without this right. */
  readonly rule: string;
  readonly title: string;
  readonly text: string;
}

export const STEPS: readonly Step[] = [
  {
    path: '/',
    rule: 'berth:reports:capacity',
    title: 'The overview: what needs attention',
    text: 'Open a line to see the hosts or flavors that it concerns, and one block of commands to copy.',
  },
  {
    path: '/map',
    rule: 'berth:reports:hosts',
    title: 'The map: how full every host is',
    text: 'It opens with the scarcest class. Choose “Room for a flavor” to see the reason against each host.',
  },
  {
    path: '/hosts',
    rule: 'berth:reports:hosts',
    title: 'Hosts: change several at once',
    text: 'Filter and sort, then tick rows to disable hosts, set a trait or add them to a host aggregate.',
  },
  {
    path: '/decisions',
    rule: 'berth:scheduler:decisions:list',
    title: 'Decisions: why there, or nowhere',
    text: 'Each decision shows the scheduling steps, the rejected hosts with their reasons, and the weights.',
  },
  {
    path: '/what-if',
    rule: 'berth:scheduler:explain',
    title: 'What if: try before you change',
    text: 'Try a request, another configuration, or a cloud without some hosts. Nothing is claimed. Ctrl K finds the rest.',
  },
];

const KEY = 'berth.first-visit';

/** A browser that refuses storage has seen it: otherwise every page would offer it again. */
export function isSeen(storage: Pick<Storage, 'getItem'>): boolean {
  try {
    return storage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

export function markSeen(storage: Pick<Storage, 'setItem'>): void {
  try {
    storage.setItem(KEY, 'seen');
  } catch {
    // The visit ends for this page anyway.
  }
}
