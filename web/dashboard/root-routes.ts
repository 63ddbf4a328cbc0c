import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { sessionQuery } from './api/session.ts'
import { settingsQuery } from './api/settings.ts'
import { paths, SIGNED_IN } from './navigation/paths.ts'
import { start } from './navigation/start-requests.ts'
import { SignInPage } from './pages/sign-in/sign-in-page.tsx'
import { SignedIn } from './shell/signed-in.tsx'
import { UnknownPage } from './shell/unknown-page.tsx'

// Loaders start the requests of a page while its code is still on the way, and those of nested routes all at once. They
// wait for nothing: the page itself shows that a request is under way or has failed, as it does for every later one.

type RouterContext = { queryClient: QueryClient }

/** The route above all others. */
export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: UnknownPage })

/** Signing in, also with a link. */
export const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  component: SignInPage,
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } => (typeof back === 'string' ? { back } : {}),
})
/** A page within the page of settings, with a policy of its own. */
export const mapPreview = createRoute({
  getParentRoute: () => root,
  path: paths.mapPreview,
  component: lazyRouteComponent(() => import('./pages/map-preview/map-preview-page.tsx'), 'MapPreviewPage'),
})
/** The route above all pages for signed-in operators. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: SIGNED_IN,
  loader: ({ context: { queryClient } }) =>
    start(queryClient.ensureQueryData(sessionQuery), queryClient.ensureQueryData(settingsQuery)),
  component: SignedIn,
})
