import { isUuid, isUuidTyped } from './uuid';

describe('a uuid', () => {
  it.each([
    ['f236fa74-facf-4131-a22d-1e206a6090be', true, true],
    ['F236FA74-FACF-4131-A22D-1E206A6090BE', true, true],
    ['f236fa74facf4131a22d1e206a6090be', false, true],
    ['of f236fa74-facf-4131-a22d-1e206a6090be', false, false],
    ['cn42', false, false],
  ])('%s: written so %s, typed so %s', (text, isWritten, isTyped) => {
    expect([isUuid(text), isUuidTyped(text)]).toEqual([isWritten, isTyped]);
  });
});
