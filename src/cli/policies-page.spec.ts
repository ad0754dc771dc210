import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderPoliciesReference } from './policies-page.fixture';

const PAGE = join(__dirname, '../../docs/reference/policies.md');

describe('docs/reference/policies.md', () => {
  it('is what the policy rules and the routes say (UPDATE_DOCS=1 writes it)', async () => {
    const rendered = await renderPoliciesReference();
    if (process.env['UPDATE_DOCS'] === '1') {
      mkdirSync(dirname(PAGE), { recursive: true });
      writeFileSync(PAGE, rendered);
    }
    expect(readFileSync(PAGE, 'utf8')).toBe(rendered);
  });
});
