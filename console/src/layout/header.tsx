import { Box, Burger, Group, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Session } from '../api/records';
import { Icon, Logo } from './icons';
import { SessionMenu } from './session-menu';
import { SpendingMenu } from './spending-menu';
import { t } from '../text/translate';

const CommandPalette = lazy(() => import('./command-palette'));

interface HeaderProps {
  readonly session: Session;
  /** Whether the navigation of a narrow window is open. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** The controls for the scope of the page, if any. In a narrow window they have a separate row. */
  readonly children?: ReactNode;
}

export function Header({ session, isOpen, onToggle, children }: HeaderProps): ReactNode {
  return (
    <Box className="header">
      <Group gap="xs" wrap="nowrap" className="header-name">
        <Burger
          opened={isOpen}
          onClick={onToggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={t('Navigation')}
          aria-expanded={isOpen}
        />
        <Logo />
        <Text fw={600} visibleFrom="xs">
          {t('Gatehouse')}
        </Text>
      </Group>
      {children && <div className="header-scope">{children}</div>}
      <Group gap="xs" wrap="nowrap" className="header-session">
        <GoTo />
        {session.kind !== 'key' && session.permissions.includes('inference') && <SpendingMenu session={session} />}
        <SessionMenu session={session} />
      </Group>
    </Box>
  );
}

function GoTo(): ReactNode {
  const [isOpen, palette] = useDisclosure();
  useHotkeys([['mod+K', palette.open]], []);
  return (
    <>
      <UnstyledButton
        className="search-button"
        onClick={palette.open}
        aria-label={t('Go to a page, key, model or call')}
        aria-keyshortcuts="Control+K"
      >
        <Icon name="search" size={14} />
        <Text span size="xs" visibleFrom="lg" className="shortcut" data-keys="Ctrl K">
          {t('Go to')}
        </Text>
      </UnstyledButton>
      {isOpen && (
        <Suspense fallback={null}>
          <CommandPalette onClose={palette.close} />
        </Suspense>
      )}
    </>
  );
}
