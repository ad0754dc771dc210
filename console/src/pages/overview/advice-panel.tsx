// Problems that the service found, worst first, each with the command that fixes it.
import { Box, Collapse, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import type { AdviceReport } from '../../service/reports';
import { countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { CommandText } from '../../shown/copy-text';
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconChevronDown,
  IconChevronRight,
  IconCircleCheck,
  IconInfoCircle,
} from '../../shown/icons';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { Panel } from '../../shown/part';
import { readable } from '../../shown/readable';
import { inkOf } from '../../theme';
import type { Advice } from './advice';
import { adviceKeyOf, placeOf, worstFirst } from './advice';
import classes from './advice-panel.module.css';
import { AgeText } from './age-text';
import { useAdvice } from './use-advice';
import { useFirst } from './use-first';

const SEVERITIES = {
  error: { Icon: IconAlertOctagon, color: inkOf('red'), name: 'Error' },
  warning: { Icon: IconAlertTriangle, color: inkOf('orange'), name: 'Warning' },
  note: { Icon: IconInfoCircle, color: 'var(--mantine-color-dimmed)', name: 'Note' },
} as const;
const SHOWN = 5;

export function AdvicePanel() {
  const question = useAdvice();
  return (
    <Panel title="Needs attention" aside={<AgeText answer={question.data} />}>
      <Answered question={question}>{(report) => <AdviceList report={report} />}</Answered>
    </Panel>
  );
}

function AdviceList({ report: { advice, state, truncated } }: { readonly report: AdviceReport }) {
  const { shown, more } = useFirst('advice', worstFirst(advice), SHOWN);
  if (advice.length === 0) {
    return (
      <Group gap="xs">
        {state === 'current' && <IconCircleCheck size={18} color={inkOf('teal')} />}
        <Text>{state === 'current' ? 'All well.' : 'The first results are being computed.'}</Text>
      </Group>
    );
  }
  return (
    <div>
      <Box component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map((each) => (
          <AdviceRow key={adviceKeyOf(each)} advice={each} />
        ))}
      </Box>
      {more}
      {truncated && <Note mt="xs">There is more than is listed here.</Note>}
    </div>
  );
}

function AdviceRow({ advice }: { readonly advice: Advice }) {
  const { get, set } = useAddress();
  const { severity, subjects, count, commands, alternatives, link } = advice;
  const sentence = readable(advice.sentence);
  const { Icon, color, name } = SEVERITIES[severity];
  const key = adviceKeyOf(advice);
  const isOpen = get('advice') === key;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const left = count - subjects.length;
  return (
    <li>
      <UnstyledButton w="100%" py={4} aria-expanded={isOpen} onClick={() => set({ advice: isOpen ? '' : key })}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Icon size={18} color={color} style={{ flexShrink: 0, marginTop: 1 }} />
          <Text
            component="span"
            className={classes.sentence}
            data-open={isOpen || undefined}
            title={isOpen ? undefined : sentence}
          >
            <VisuallyHidden>{name}: </VisuallyHidden>
            {sentence}
          </Text>
          <Chevron size={16} style={{ flexShrink: 0, marginTop: 2 }} />
        </Group>
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Stack gap="xs" pl={28} pb="sm">
          <Group gap="sm">
            {subjects.map((subject) => {
              const to = placeOf(subject);
              return to === undefined ? (
                <Text key={subject.id} style={{ overflowWrap: 'anywhere' }}>
                  {subject.name}
                </Text>
              ) : (
                <PageLink key={subject.id} to={to}>
                  {subject.name}
                </PageLink>
              );
            })}
            {left > 0 && <Text c="dimmed">and {countText(left)} more</Text>}
          </Group>
          {commands.length > 0 && <CommandText command={commands.join('\n')} />}
          {alternatives.length > 0 && (
            <>
              <Text>Or instead:</Text>
              <CommandText command={alternatives.join('\n')} />
            </>
          )}
          {link !== null && <PageLink to={`/${link}`}>Show them</PageLink>}
        </Stack>
      </Collapse>
    </li>
  );
}
