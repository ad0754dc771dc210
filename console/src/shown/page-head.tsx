// The head of a page: title, a summary sentence, actions.
import { Anchor, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { IconArrowLeft } from './icons';

interface Props {
  readonly title: string;
  /** Summary of the displayed data. */
  readonly subtitle?: ReactNode;
  /** Parent pages. */
  readonly above?: readonly { readonly name: string; readonly to: string }[];
  readonly actions?: ReactNode;
}

export function PageHead({ title, subtitle, above = [], actions }: Props) {
  useEffect(() => {
    document.title = `${title} · Berth`;
  }, [title]);
  return (
    <Group component="header" justify="space-between" align="flex-end" mb="lg" gap="sm">
      <div>
        {above.length > 0 && (
          <Group component="nav" aria-label="Pages above" mb={4} gap="xs">
            {above.map(({ name, to }) => (
              <Anchor key={to} component={Link} to={to} size="sm">
                <Group gap={4} component="span" wrap="nowrap">
                  <IconArrowLeft size={14} aria-hidden />
                  {name}
                </Group>
              </Anchor>
            ))}
          </Group>
        )}
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {subtitle !== undefined && (
          <Text c="dimmed" size="sm" component="div" mt={2}>
            {subtitle}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
