import { Group, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { t } from '../text/translate';

interface PageHeaderProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** The link to the list that contains this page. */
  readonly parent?: ReactNode;
  /** Buttons. */
  readonly children?: ReactNode;
}

/** The heading of a page. It is also the title of the browser's window. */
export function PageHeader(props: PageHeaderProps): ReactNode {
  const { title } = props;
  // An effect, because it must run after the shell's layout effect, which sets the title of a page that is still
  // loading.
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  return <Header {...props} level={1} />;
}

/** The heading of a part of a page. */
export function SectionHeader(props: PageHeaderProps): ReactNode {
  return <Header {...props} level={2} />;
}

function Header({ title, about, parent, children, level }: PageHeaderProps & { readonly level: 1 | 2 }): ReactNode {
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div className="page-title">
        {parent && (
          <Text component="nav" size="sm" c="dimmed" aria-label={t('Above this page')}>
            <span aria-hidden>‹</span> {parent}
          </Text>
        )}
        <Title order={level} className="wrap">
          {title}
        </Title>
        {about && (
          <Text size="sm" c="dimmed" className="wrap">
            {about}
          </Text>
        )}
      </div>
      {children && (
        <Group gap="xs" maw="100%">
          {children}
        </Group>
      )}
    </Group>
  );
}
