// The head of a page: title, a summary sentence, actions.
import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { IconArrowLeft } from './icons';
import { PageLink } from './page-link';

interface Props {
  readonly title: string;
  /** Summary of the displayed data. */
  readonly subtitle?: ReactNode;
  /** The parent page. */
  readonly above?: { readonly name: string; readonly to: string };
  readonly actions?: ReactNode;
}

export function PageHead({ title, subtitle, above, actions }: Props) {
  useEffect(() => {
    document.title = `${title} · Berth`;
  }, [title]);
  return (
    <Group component="header" justify="space-between" align="flex-end" mb="lg" gap="sm">
      <div>
        {above !== undefined && (
          <nav aria-label="Pages above">
            <PageLink to={above.to}>
              <IconArrowLeft size={14} style={{ verticalAlign: 'middle' }} /> {above.name}
            </PageLink>
          </nav>
        )}
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {subtitle !== undefined && (
          <Text c="dimmed" component="div" mt={2}>
            {subtitle}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
