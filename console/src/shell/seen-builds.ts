// The builds of the console that this tab has run or reloaded for. During a rolling upgrade old and new processes
// answer in turn, so the page must not reload for each answer.

const KEY = 'berth.seen-builds';
const KEPT = 20;

/** True once for each build. `own`, the build of the running page, counts as seen. */
export function isFirstSight(build: string, own: string, storage: Pick<Storage, 'getItem' | 'setItem'>): boolean {
  const seen = [...new Set([...(storage.getItem(KEY) ?? '').split(' '), own])];
  const isNew = !seen.includes(build);
  storage.setItem(KEY, [...seen, ...(isNew ? [build] : [])].slice(-KEPT).join(' ').trim());
  return isNew;
}
