import type { LinkProps } from '@tanstack/react-router';
import type { Permission } from '../api/session';
import type { IconName } from './icons';

export interface NavigationItem {
  readonly to: LinkProps['to'] & string;
  readonly label: string;
  readonly icon: IconName;
  /** What its operations need; absent = nothing. */
  readonly needs?: Permission;
  /** Its operations exist for the operator's account only. */
  readonly isOperators?: boolean;
  /** Whether the page uses the time range of the header. */
  readonly hasTime?: boolean;
}

export interface NavigationGroup {
  readonly label: string;
  readonly items: readonly NavigationItem[];
}

/** The pages by what they are for. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Use',
    items: [
      { to: '/playground', label: 'Playground', icon: 'playground', needs: 'inference' },
      { to: '/interns', label: 'Interns', icon: 'interns', needs: 'interns' },
      { to: '/models', label: 'Models', icon: 'models' },
    ],
  },
  {
    label: 'Spend',
    items: [
      { to: '/', label: 'Overview', icon: 'overview', hasTime: true },
      { to: '/usage', label: 'Usage', icon: 'usage', needs: 'usage.sums', hasTime: true },
      { to: '/calls', label: 'Calls', icon: 'calls', needs: 'usage.calls', hasTime: true },
      { to: '/credits', label: 'Credits', icon: 'credits', needs: 'credits.read', hasTime: true },
      { to: '/budgets', label: 'Budgets', icon: 'budgets', needs: 'budgets.read' },
      { to: '/end-users', label: 'End users', icon: 'endUsers', needs: 'end-users.read', hasTime: true },
    ],
  },
  {
    label: 'Build',
    items: [
      { to: '/keys', label: 'Keys', icon: 'keys', needs: 'keys.read', hasTime: true },
      { to: '/connect', label: 'Connect a client', icon: 'connect', needs: 'inference' },
      { to: '/provider-credentials', label: 'Provider credentials', icon: 'credentials', needs: 'byok.read' },
      { to: '/files', label: 'Files', icon: 'files', needs: 'files' },
      { to: '/webhooks', label: 'Alerts', icon: 'alerts', needs: 'webhooks' },
    ],
  },
  {
    label: 'Administer',
    items: [
      { to: '/members', label: 'Members', icon: 'members', needs: 'members.read', hasTime: true },
      { to: '/workspaces', label: 'Workspaces', icon: 'workspaces', needs: 'workspaces.read', hasTime: true },
      { to: '/channels', label: 'Channels', icon: 'channels', needs: 'channels.read', isOperators: true },
      { to: '/own-models', label: 'Own models', icon: 'ownModels', needs: 'catalogue.write', isOperators: true },
      { to: '/identity', label: 'Identity', icon: 'identity', needs: 'identity.read' },
      { to: '/audit', label: 'Audit', icon: 'audit', needs: 'audit.read', hasTime: true },
      { to: '/health', label: 'Health', icon: 'health' },
      { to: '/profile', label: 'Profile', icon: 'settings' },
    ],
  },
];

const isAt = (path: string, to: string): boolean => (to === '/' ? path === '/' : `${path}/`.startsWith(`${to}/`));

/** The entry of the page at a path. */
export const entryAt = (path: string): NavigationItem | undefined =>
  NAVIGATION.flatMap(({ items }) => items).find(({ to }) => isAt(path, to));
