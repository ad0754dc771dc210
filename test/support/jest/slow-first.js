// Jest starts the largest files first if it knows no times, as in a fresh clone. These files wait for other programs, so
// they take longer than their size suggests; started last, they would keep one core idle.
const { sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const SLOW = [
  'chapters/chapters',
  'e2e/demo',
  'console/pages',
  'e2e/keystone',
  'console/journeys',
  'e2e/slow-clients',
].map((name) => `${sep}test${sep}${name.replace('/', sep)}.spec.ts`);

module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    const slow = SLOW.map((name) => tests.find(({ path }) => path.endsWith(name))).filter((test) => test !== undefined);
    return [...slow, ...super.sort(tests).filter((test) => !slow.includes(test))];
  }
};
