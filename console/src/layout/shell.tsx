import { AppShell, Badge, Box, NavLink, ScrollArea, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useDocumentTitle } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useSignedIn } from '../api/session';
import { refreshIfOld, useScope } from '../scope/use-scope';
import { useWaitingQuestions, waitingWords } from '../talks/use-waiting-questions';
import { Header } from './header';
import { Icon } from './icons';
import { entryAt } from './navigation';
import { NotAllowed } from './not-allowed';
import { ScopeControls } from './scope-controls';
import { useMaySee, useNavigation } from './use-navigation';

/** Navigation on the left, the controls of all pages above, the page in the middle. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const session = useSignedIn();
  const [isOpen, menu] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const maySee = useMaySee();
  const { zone } = useScope();
  const current = entryAt(path);
  useDocumentTitle(`${current?.label ?? 'Console'} · Gatehouse`);
  const page = usePageFocus(path);
  useEffect(refreshIfOld, [path]);
  const controls = <ScopeControls hasTime={current?.hasTime ?? false} />;
  return (
    <AppShell
      header={{ height: { base: 100, md: 56 } }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#page">
        Skip to the page
      </a>
      <AppShell.Header>
        <Header session={session} isOpen={isOpen} onToggle={menu.toggle}>
          {controls}
        </Header>
      </AppShell.Header>
      <AppShell.Navbar component="div" className="navigation" data-closed={!isOpen || undefined}>
        <Pages path={path} onChoose={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main ref={page} id="page" tabIndex={-1} miw={0}>
        {/* React does not know the zone in which times are formatted: a change of it renders the page again. */}
        <Box key={zone} maw={1400} mx="auto">
          {current && !maySee(current) ? <NotAllowed page={current} role={session.role} /> : children}
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

function Pages({ path, onChoose }: { readonly path: string; readonly onChoose: () => void }): ReactNode {
  const groups = useNavigation();
  const waiting = useWaitingQuestions().length;
  const badge = waiting > 0 && (
    <Badge size="sm" aria-hidden>
      {waiting}
    </Badge>
  );
  const current = entryAt(path);
  return (
    <ScrollArea component="nav" aria-label="Pages" p="xs">
      {groups.map(({ label, items }) => (
        <div key={label} role="group" aria-label={label} className="navigation-group">
          <Text size="xs" c="dimmed" fw={600} px="sm" aria-hidden>
            {label}
          </Text>
          {items.map((item) => (
            <NavLink
              key={item.to}
              component={Link}
              to={item.to}
              label={
                <>
                  {item.label}
                  {badge && item.to === '/interns' && <VisuallyHidden> {waitingWords(waiting)}</VisuallyHidden>}
                </>
              }
              rightSection={item.to === '/interns' && badge}
              leftSection={<Icon name={item.icon} />}
              active={item === current}
              aria-current={item === current ? 'page' : undefined}
              onClick={onChoose}
              py={5}
            />
          ))}
        </div>
      ))}
    </ScrollArea>
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
