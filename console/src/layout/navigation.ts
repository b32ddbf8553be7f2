import type { LinkProps } from '@tanstack/react-router';
import type { Right } from '../api/session';

export interface NavigationItem {
  readonly to: LinkProps['to'] & string;
  readonly label: string;
  /** The class of key that its operations need; absent = any. */
  readonly right?: Right;
}

/** The pages in the order of their use. */
export const NAVIGATION: readonly NavigationItem[] = [
  { to: '/', label: 'Overview' },
  { to: '/keys', label: 'Keys', right: 'management' },
  { to: '/usage', label: 'Usage', right: 'management' },
  { to: '/calls', label: 'Calls' },
  { to: '/models', label: 'Models' },
  { to: '/playground', label: 'Playground', right: 'standard' },
  { to: '/interns', label: 'Interns', right: 'standard' },
  { to: '/credits', label: 'Credits', right: 'management' },
  { to: '/provider-credentials', label: 'Provider credentials' },
  { to: '/files', label: 'Files', right: 'management' },
  { to: '/end-users', label: 'End users', right: 'management' },
  { to: '/workspaces', label: 'Workspaces', right: 'management' },
  { to: '/members', label: 'Members', right: 'management' },
  { to: '/audit', label: 'Audit', right: 'management' },
  { to: '/health', label: 'Health' },
];
