import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { erasureQuery, erasuresQuery } from './api/administration/erasures.ts'
import { mapQuery } from './api/map.ts'
import { operatorsQuery, sessionsQuery } from './api/operators.ts'
import { paths } from './navigation/paths.ts'
import { start } from './navigation/start-requests.ts'
import { auditSearch } from './pages/audit/audit-search.ts'
import { signedIn } from './root-routes.ts'

const account = createRoute({
  getParentRoute: () => signedIn,
  path: paths.account,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureQueryData(sessionsQuery)),
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
})
const operators = createRoute({
  getParentRoute: () => signedIn,
  path: paths.operators,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureQueryData(operatorsQuery)),
  component: lazyRouteComponent(() => import('./pages/operators/operators-page.tsx'), 'OperatorsPage'),
})
const auditLog = createRoute({
  getParentRoute: () => signedIn,
  path: paths.auditLog,
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})
const mapSettings = createRoute({
  getParentRoute: () => signedIn,
  path: paths.mapSettings,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureQueryData(mapQuery)),
  component: lazyRouteComponent(() => import('./pages/map-settings/map-settings-page.tsx'), 'MapSettingsPage'),
})
const erasures = createRoute({
  getParentRoute: () => signedIn,
  path: paths.erasures,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureInfiniteQueryData(erasuresQuery)),
  component: lazyRouteComponent(() => import('./pages/erasures/erasures-page.tsx'), 'ErasuresPage'),
})
const erasure = createRoute({
  getParentRoute: () => signedIn,
  path: paths.erasure,
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(erasureQuery(params.erasureId))),
  component: lazyRouteComponent(() => import('./pages/erasures/erasure-page.tsx'), 'ErasurePage'),
})

/** The pages of the account, and of what concerns the whole installation. */
export const settingsRoutes = [account, operators, auditLog, mapSettings, erasures, erasure] as const
