import type { LinkProps } from '@tanstack/react-router';
import type { Permission } from '../api/session';
import type { IconName } from './icons';
import { t } from '../text/translate';

export interface NavigationItem {
  readonly to: LinkProps['to'] & string;
  readonly label: string;
  readonly icon: IconName;
  /** The permission that the operations of the page need; absent = none. */
  readonly needs?: Permission;
  /** Whether the operations of the page exist only for the operator's account. */
  readonly isOperators?: boolean;
  /** The controls of the header on the page. */
  readonly controls?: PageControls;
  /** The controls on the pages below the page; absent = none. */
  readonly controlsBelow?: PageControls;
}

/** The controls that a page uses. */
export interface PageControls {
  readonly hasWorkspace?: boolean;
  /** The time range. */
  readonly hasTime?: boolean;
  /** Whether the header shows the time of the data and can read them again. Default: `hasTime`. */
  readonly isOfNow?: boolean;
}

export interface NavigationGroup {
  readonly label: string;
  readonly items: readonly NavigationItem[];
}

const TIME: PageControls = { hasTime: true };
const WORKSPACE: PageControls = { hasWorkspace: true };
const BOTH: PageControls = { ...TIME, ...WORKSPACE };

/** The pages, grouped by purpose. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: t('Use'),
    items: [
      { to: '/playground', label: t('Playground'), icon: 'playground', needs: 'inference' },
      { to: '/interns', label: t('Interns'), icon: 'interns', needs: 'interns' },
      { to: '/models', label: t('Models'), icon: 'models' },
    ],
  },
  {
    label: t('Spend'),
    items: [
      { to: '/', label: t('Overview'), icon: 'overview', controls: BOTH },
      { to: '/usage', label: t('Usage'), icon: 'usage', needs: 'usage.sums', controls: BOTH },
      { to: '/calls', label: t('Calls'), icon: 'calls', needs: 'usage.calls', controls: BOTH },
      { to: '/credits', label: t('Credits'), icon: 'credits', needs: 'credits.read', controls: BOTH },
      { to: '/budgets', label: t('Budgets'), icon: 'budgets', needs: 'budgets.read', controls: WORKSPACE },
      { to: '/end-users', label: t('End users'), icon: 'endUsers', needs: 'end-users.read', controls: BOTH },
    ],
  },
  {
    label: t('Build'),
    items: [
      { to: '/keys', label: t('Keys'), icon: 'keys', needs: 'keys.read', controls: WORKSPACE, controlsBelow: TIME },
      { to: '/connect', label: t('Connect a client'), icon: 'connect', needs: 'inference', controls: WORKSPACE },
      {
        to: '/provider-credentials',
        label: t('Provider credentials'),
        icon: 'credentials',
        needs: 'byok.read',
        controls: WORKSPACE,
      },
      { to: '/files', label: t('Files'), icon: 'files', needs: 'files', controls: WORKSPACE },
      { to: '/webhooks', label: t('Alerts and webhooks'), icon: 'alerts', needs: 'webhooks' },
    ],
  },
  {
    label: t('Administer'),
    items: [
      {
        to: '/members',
        label: t('Members'),
        icon: 'members',
        needs: 'members.read',
        controls: BOTH,
        controlsBelow: TIME,
      },
      {
        to: '/workspaces',
        label: t('Workspaces'),
        icon: 'workspaces',
        needs: 'workspaces.read',
        controls: BOTH,
        controlsBelow: TIME,
      },
      { to: '/channels', label: t('Channels'), icon: 'channels', needs: 'channels.read', isOperators: true },
      { to: '/own-models', label: t('Own models'), icon: 'ownModels', needs: 'catalogue.write', isOperators: true },
      { to: '/identity', label: t('Identity'), icon: 'identity', needs: 'identity.read' },
      { to: '/audit', label: t('Audit'), icon: 'audit', needs: 'audit.read', controls: TIME },
      {
        to: '/health',
        label: t('Health'),
        icon: 'health',
        needs: 'channels.read',
        isOperators: true,
        controls: { isOfNow: true },
      },
      { to: '/settings', label: t('Settings'), icon: 'settings' },
    ],
  },
];

const isAt = (path: string, to: string): boolean => (to === '/' ? path === '/' : `${path}/`.startsWith(`${to}/`));

/** The entry of the page at a path. */
export const entryAt = (path: string): NavigationItem | undefined =>
  NAVIGATION.flatMap(({ items }) => items).find(({ to }) => isAt(path, to));

/** The controls of the header on the page at a path. */
export function controlsAt(path: string): PageControls {
  const entry = entryAt(path);
  const isBelow = entry !== undefined && path.replace(/\/$/, '') !== entry.to.replace(/\/$/, '');
  return (isBelow ? entry.controlsBelow : entry?.controls) ?? {};
}
