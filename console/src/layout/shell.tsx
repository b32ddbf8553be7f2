import { AppShell, Burger, Button, Group, NavLink, ScrollArea, Text, useMantineColorScheme } from '@mantine/core';
import { useComputedColorScheme } from '@mantine/core';
import { useDisclosure, useDocumentTitle } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useIsOperator } from '../api/channels';
import { signOut, useSignedIn } from '../api/session';
import { NAVIGATION, type NavigationItem } from './navigation';
import { NotAllowed } from './not-allowed';
import { SpendingMenu } from './spending-menu';

const isAt = (path: string, to: string): boolean => (to === '/' ? path === '/' : `${path}/`.startsWith(`${to}/`));

/** Navigation on the left, the session's controls above, the page in the middle. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const session = useSignedIn();
  const [isOpen, menu] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { permissions } = session;
  const may = ({ needs }: NavigationItem): boolean => !needs || permissions.includes(needs);
  const isOperator = useIsOperator();
  const items = NAVIGATION.filter((item) => may(item) && (isOperator || !item.isOperators));
  const current = NAVIGATION.find(({ to }) => isAt(path, to));
  useDocumentTitle(`${current?.label ?? 'Console'} · Gatehouse`);
  const page = usePageFocus(path);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 210, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#page">
        Skip to the page
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={isOpen}
            />
            <Text fw={700} visibleFrom="xs">
              Gatehouse
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            {session.kind !== 'key' && permissions.includes('inference') && <SpendingMenu session={session} />}
            <SchemeButton />
            <Button variant="default" size="xs" onClick={() => void signOut()}>
              Sign out
            </Button>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar component="div" className="navigation" data-closed={!isOpen || undefined}>
        <ScrollArea component="nav" aria-label="Pages" p="xs">
          {items.map(({ to, label }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              active={isAt(path, to)}
              aria-current={isAt(path, to) ? 'page' : undefined}
              onClick={menu.close}
            />
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main ref={page} id="page" tabIndex={-1} miw={0}>
        {current && !may(current) ? <NotAllowed page={current} role={session.role} /> : children}
      </AppShell.Main>
    </AppShell>
  );
}

/** A new page has the focus, so that the next Tab is in it and not behind the navigation. */
function usePageFocus(path: string): RefObject<HTMLElement | null> {
  const page = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current !== path) page.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
  return page;
}

function SchemeButton(): ReactNode {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return (
    <Button
      variant="default"
      size="xs"
      onClick={() => setColorScheme(other)}
      aria-label={other === 'dark' ? 'Dark colours' : 'Light colours'}
    >
      {other === 'dark' ? '☾' : '☀'}
    </Button>
  );
}
