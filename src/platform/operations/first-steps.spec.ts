import { firstSteps } from './first-steps';

it('has the addresses and the next command on lines of their own', () => {
  expect(firstSteps('http://127.0.0.1:8778', true, 'npm run demo').trim().split('\n')).toEqual([
    'Service  http://127.0.0.1:8778',
    'Console  http://127.0.0.1:8778/console',
    'Next     npm run demo, in a second terminal',
  ]);
  expect(firstSteps('https://berth', false, 'berth hosts')).not.toContain('Console');
});
