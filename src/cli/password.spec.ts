import { PassThrough } from 'node:stream';
import { askPassword } from './password';

it('asks for a password, reads one line and shows none of it', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = askPassword('Password of db: ', { input, output });
  input.write('se cr:et \nmore\n');
  expect(await asked).toBe('se cr:et ');
  output.end();
  expect(Buffer.concat(await output.toArray()).toString()).toBe('Password of db: \n');
});

it('fails if the input ends before a password came', async () => {
  const input = new PassThrough();
  const asked = askPassword('Password of db: ', { input, output: new PassThrough() });
  input.end();
  await expect(asked).rejects.toThrow('No password was given.');
});
