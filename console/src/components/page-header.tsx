import { Group, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

interface PageHeaderProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** The link to the list that the page is below. */
  readonly parent?: ReactNode;
  /** Buttons. */
  readonly children?: ReactNode;
}

/** The heading of a page, which is the title of the browser's window too. */
export function PageHeader(props: PageHeaderProps): ReactNode {
  const { title } = props;
  // After the layout effect by which the shell sets the title of a page that has yet to load.
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
      <div style={{ minWidth: 0 }}>
        {parent && (
          <Text component="nav" size="sm" c="dimmed" aria-label="Above this page">
            {parent} <span aria-hidden>/</span>
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
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
