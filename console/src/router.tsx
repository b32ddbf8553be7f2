import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
  redirect,
} from '@tanstack/react-router';
import { NotFound } from './components/not-found';
import { RouteFault } from './components/route-fault';
import { Root } from './layout/root';
import { auditFilters } from './pages/audit/audit-filters';
import { authorizeSearch } from './pages/authorize/authorize-search';
import { budgetSearch } from './pages/budgets/budget-search';
import { callFilters } from './pages/calls/call-filters';
import { connectSearch } from './pages/connect/connect-search';
import { internSearch } from './pages/interns/intern-search';
import { keySearch } from './pages/keys/key-search';
import { modelFilters } from './pages/models/model-filters';
import { playgroundSearch } from './pages/playground/playground-search';
import { usageQuery } from './pages/usage/usage-query';
import { SCOPE_PARAMETERS, scopeSearch, type ScopeSearch } from './scope/scope-search';

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: RouteFault,
  validateSearch: scopeSearch,
  search: { middlewares: [retainSearchParams<ScopeSearch>([...SCOPE_PARAMETERS])] },
});
const under = { getParentRoute: () => root } as const;

const routes = [
  createRoute({
    ...under,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/overview/overview.page'), 'OverviewPage'),
  }),
  createRoute({
    ...under,
    path: '/keys',
    validateSearch: keySearch,
    component: lazyRouteComponent(() => import('./pages/keys/keys.page'), 'KeysPage'),
  }),
  createRoute({
    ...under,
    path: '/keys/$hash',
    component: lazyRouteComponent(() => import('./pages/keys/key.page'), 'KeyPage'),
  }),
  createRoute({
    ...under,
    path: '/connect',
    validateSearch: connectSearch,
    component: lazyRouteComponent(() => import('./pages/connect/connect.page'), 'ConnectPage'),
  }),
  createRoute({
    ...under,
    path: '/usage',
    validateSearch: usageQuery,
    component: lazyRouteComponent(() => import('./pages/usage/usage.page'), 'UsagePage'),
  }),
  createRoute({
    ...under,
    path: '/calls',
    validateSearch: callFilters,
    component: lazyRouteComponent(() => import('./pages/calls/calls.page'), 'CallsPage'),
  }),
  createRoute({
    ...under,
    path: '/calls/$id',
    component: lazyRouteComponent(() => import('./pages/calls/call.page'), 'CallPage'),
  }),
  createRoute({
    ...under,
    path: '/models',
    validateSearch: modelFilters,
    component: lazyRouteComponent(() => import('./pages/models/models.page'), 'ModelsPage'),
  }),
  createRoute({
    ...under,
    path: '/models/$author/$slug',
    component: lazyRouteComponent(() => import('./pages/models/model.page'), 'ModelPage'),
  }),
  createRoute({
    ...under,
    path: '/playground',
    validateSearch: playgroundSearch,
    component: lazyRouteComponent(() => import('./pages/playground/playground.page'), 'PlaygroundPage'),
  }),
  createRoute({
    ...under,
    path: '/interns',
    component: lazyRouteComponent(() => import('./pages/interns/interns.page'), 'InternsPage'),
  }),
  createRoute({
    ...under,
    path: '/interns/$id',
    validateSearch: internSearch,
    component: lazyRouteComponent(() => import('./pages/interns/intern.page'), 'InternPage'),
  }),
  createRoute({
    ...under,
    path: '/credits',
    component: lazyRouteComponent(() => import('./pages/credits/credits.page'), 'CreditsPage'),
  }),
  createRoute({
    ...under,
    path: '/budgets',
    validateSearch: budgetSearch,
    component: lazyRouteComponent(() => import('./pages/budgets/budgets.page'), 'BudgetsPage'),
  }),
  createRoute({
    ...under,
    path: '/provider-credentials',
    component: lazyRouteComponent(() => import('./pages/credentials/credentials.page'), 'CredentialsPage'),
  }),
  createRoute({
    ...under,
    path: '/channels',
    component: lazyRouteComponent(() => import('./pages/channels/channels.page'), 'ChannelsPage'),
  }),
  createRoute({
    ...under,
    path: '/own-models',
    component: lazyRouteComponent(() => import('./pages/own-models/own-models.page'), 'OwnModelsPage'),
  }),
  createRoute({
    ...under,
    path: '/files',
    component: lazyRouteComponent(() => import('./pages/files/files.page'), 'FilesPage'),
  }),
  createRoute({
    ...under,
    path: '/end-users',
    component: lazyRouteComponent(() => import('./pages/end-users/end-users.page'), 'EndUsersPage'),
  }),
  createRoute({
    ...under,
    path: '/workspaces',
    component: lazyRouteComponent(() => import('./pages/workspaces/workspaces.page'), 'WorkspacesPage'),
  }),
  createRoute({
    ...under,
    path: '/workspaces/$id',
    component: lazyRouteComponent(() => import('./pages/workspaces/workspace.page'), 'WorkspacePage'),
  }),
  createRoute({
    ...under,
    path: '/members/$id',
    component: lazyRouteComponent(() => import('./pages/members/member.page'), 'MemberPage'),
  }),
  createRoute({
    ...under,
    path: '/members',
    component: lazyRouteComponent(() => import('./pages/members/members.page'), 'MembersPage'),
  }),
  createRoute({
    ...under,
    path: '/identity',
    component: lazyRouteComponent(() => import('./pages/identity/identity.page'), 'IdentityPage'),
  }),
  createRoute({
    ...under,
    path: '/settings',
    component: lazyRouteComponent(() => import('./pages/settings/settings.page'), 'SettingsPage'),
  }),
  // The former address of the settings page, which may be in bookmarks.
  createRoute({
    ...under,
    path: '/profile',
    beforeLoad: () => {
      redirect({ to: '/settings', throw: true });
    },
  }),
  createRoute({
    ...under,
    path: '/authorize',
    validateSearch: authorizeSearch,
    component: lazyRouteComponent(() => import('./pages/authorize/authorize.page'), 'AuthorizePage'),
  }),
  createRoute({
    ...under,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./pages/webhooks/webhooks.page'), 'WebhooksPage'),
  }),
  createRoute({
    ...under,
    path: '/webhooks/$id',
    component: lazyRouteComponent(() => import('./pages/webhooks/webhook.page'), 'WebhookPage'),
  }),
  createRoute({
    ...under,
    path: '/audit',
    validateSearch: auditFilters,
    component: lazyRouteComponent(() => import('./pages/audit/audit.page'), 'AuditPage'),
  }),
  createRoute({
    ...under,
    path: '/health',
    component: lazyRouteComponent(() => import('./pages/health/health.page'), 'HealthPage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
