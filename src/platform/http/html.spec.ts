import { escapeHtml } from './html';

it('says what HTML reads otherwise in its own words, once', () => {
  expect(escapeHtml('<a href="x">&lt;</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;lt;&lt;/a&gt;');
});
