import type { LinkProps } from '@tanstack/react-router';
import type { Permission } from '../api/session';

export interface NavigationItem {
  readonly to: LinkProps['to'] & string;
  readonly label: string;
  /** What its operations need; absent = nothing. */
  readonly needs?: Permission;
  /** Its operations exist for the operator's account only. */
  readonly isOperators?: boolean;
}

/** The pages in the order of their use. */
export const NAVIGATION: readonly NavigationItem[] = [
  { to: '/', label: 'Overview' },
  { to: '/keys', label: 'Keys', needs: 'keys.read' },
  { to: '/usage', label: 'Usage', needs: 'usage.sums' },
  { to: '/calls', label: 'Calls', needs: 'usage.calls' },
  { to: '/models', label: 'Models' },
  { to: '/playground', label: 'Playground', needs: 'inference' },
  { to: '/interns', label: 'Interns', needs: 'interns' },
  { to: '/credits', label: 'Credits', needs: 'credits.read' },
  { to: '/budgets', label: 'Budgets', needs: 'budgets.read' },
  { to: '/provider-credentials', label: 'Provider credentials', needs: 'byok.read' },
  { to: '/channels', label: 'Channels', needs: 'channels.read', isOperators: true },
  { to: '/own-models', label: 'Own models', needs: 'catalogue.write', isOperators: true },
  { to: '/files', label: 'Files', needs: 'files' },
  { to: '/end-users', label: 'End users', needs: 'end-users.read' },
  { to: '/workspaces', label: 'Workspaces', needs: 'workspaces.read' },
  { to: '/members', label: 'Members', needs: 'members.read' },
  { to: '/identity', label: 'Identity', needs: 'identity.read' },
  { to: '/webhooks', label: 'Alerts', needs: 'webhooks' },
  { to: '/audit', label: 'Audit', needs: 'audit.read' },
  { to: '/health', label: 'Health' },
  { to: '/profile', label: 'Profile' },
];
