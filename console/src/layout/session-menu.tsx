import { Menu, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from '../api/records';
import { signOut } from '../api/session';
import { chooseZone, useScope } from '../scope/use-scope';
import { t } from '../text/translate';

const MAX_INITIALS = 2;

const initialsOf = (name: string): string =>
  name
    .split(/[\s@._-]+/)
    .filter((word) => word !== '')
    .slice(0, MAX_INITIALS)
    .map((word) => word[0]!.toUpperCase())
    .join('');

/** The signed-in user, the zone of times, the colour scheme, and the sign-out. */
export function SessionMenu({ session }: { readonly session: Session }): ReactNode {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const { zone } = useScope();
  const name = session.user?.name ?? session.user?.email ?? t('API key');
  return (
    <Menu position="bottom-end" shadow="md" width={230} withinPortal>
      <Menu.Target>
        <UnstyledButton className="session-button" aria-label={t('Session')} data-initials={initialsOf(name) || '?'} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.role ? `${name}, ${session.role}` : name}</Menu.Label>
        <Menu.Item component={Link} to="/settings">
          {t('Settings and sessions')}
        </Menu.Item>
        <Menu.Item onClick={() => chooseZone(zone === 'utc' ? 'local' : 'utc')}>
          {zone === 'utc' ? t('Times in local time') : t('Times in UTC')}
        </Menu.Item>
        <Menu.Item onClick={() => setColorScheme(other)}>
          {other === 'dark' ? t('Dark colours') : t('Light colours')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{t('Sign out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
