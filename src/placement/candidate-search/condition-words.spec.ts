import { FORMS } from './condition-words';
import { CONDITION_KINDS } from './conditions';
import { Figures } from './failure-figures';

const FORM_NAMES = ['has', 'lack', 'lackOnly', 'noHost', 'without'] as const;

it.each(CONDITION_KINDS)('has words for %s in every form, of one host and of several', (kind) => {
  const described = { kind, what: 'X', names: ['X'], amount: null, groups: [], origins: [] };
  const figures = new Figures();
  for (const hosts of [1, 2]) {
    figures.add({ condition: { ...described, parts: [] }, code: 'code', params: {}, isNever: false });
    const texts = FORM_NAMES.map((form) => FORMS[kind][form](described, hosts, figures, true));
    expect(texts.filter((text) => !/^[a-z]\S* .*\S$/i.test(text) || /undefined|null|\?/.test(text))).toEqual([]);
  }
});
