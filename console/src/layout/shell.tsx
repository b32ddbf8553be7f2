import { AppShell, Badge, Box, NavLink, ScrollArea, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useDocumentTitle } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useMay, useSignedIn } from '../api/session';
import { refreshIfOld, useScope } from '../scope/use-scope';
import { useWaitingQuestions, waitingWords } from '../talks/use-waiting-questions';
import { FailedReads } from './failed-reads';
import { Header } from './header';
import { Icon } from './icons';
import { controlsAt, entryAt } from './navigation';
import { NotAllowed } from './not-allowed';
import { ScopeControls } from './scope-controls';
import { useMaySee, useNavigation } from './use-navigation';
import { t } from '../text/translate';

/** Navigation on the left, the controls of all pages above, the page in the middle. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const session = useSignedIn();
  const [isOpen, menu] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const maySee = useMaySee();
  const { zone } = useScope();
  const current = entryAt(path);
  const isAllowed = !current || maySee(current);
  useDocumentTitle(`${current?.label ?? t('Console')} · Gatehouse`);
  const page = usePageFocus(path);
  useEffect(refreshIfOld, [path]);
  const readsWorkspaces = useMay('workspaces.read');
  const { hasWorkspace = false, ...others } = controlsAt(path);
  const controls = { ...others, hasWorkspace: hasWorkspace && readsWorkspaces };
  const hasControls = isAllowed && Object.values(controls).includes(true);
  return (
    <AppShell
      header={{ height: { base: hasControls ? 100 : 56, md: 56 } }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <a className="skip-link" href="#page">
        {t('Skip to the page')}
      </a>
      <AppShell.Header>
        <Header session={session} isOpen={isOpen} onToggle={menu.toggle}>
          {hasControls && <ScopeControls {...controls} />}
        </Header>
      </AppShell.Header>
      <AppShell.Navbar component="div" className="navigation" data-closed={!isOpen || undefined}>
        <Pages path={path} onChoose={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main ref={page} id="page" tabIndex={-1} miw={0}>
        {/* Times depend on the zone, which is not React state. The key renders the page again after a change. */}
        <Box key={zone} maw={1400} mx="auto">
          <FailedReads>{isAllowed ? children : <NotAllowed page={current} role={session.role} />}</FailedReads>
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
  const list = useRef<HTMLDivElement>(null);
  // If the window is low, the list scrolls to the current page.
  useEffect(() => {
    // Do not return the result, because in new versions of Chromium it is a promise, not a clean-up function.
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <ScrollArea component="nav" aria-label={t('Pages')} p="xs" viewportRef={list}>
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
              py={3}
            />
          ))}
        </div>
      ))}
    </ScrollArea>
  );
}

/** Moves the focus to a new page, so that the next Tab key press starts in the page, not after the navigation. */
function usePageFocus(path: string): RefObject<HTMLElement | null> {
  const page = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current !== path) page.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
  return page;
}
