import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet } from '@tanstack/react-router'
import { sessionQuery } from './api/session.ts'
import { settingsQuery } from './api/settings.ts'
import { SIGNED_IN } from './navigation/paths.ts'
import { start } from './navigation/start-requests.ts'
import { SignedIn } from './shell/signed-in.tsx'
import { UnknownPage } from './shell/unknown-page.tsx'

// Loaders start the requests of a page while its code is still on the way, and those of nested routes all at once. They
// wait for nothing: the page itself shows that a request is under way or has failed, as it does for every later one.

type RouterContext = { queryClient: QueryClient }

/** The route above all others. */
export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: UnknownPage })

/** The route above all pages for signed-in operators. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: SIGNED_IN,
  loader: ({ context: { queryClient } }) =>
    start(queryClient.ensureQueryData(sessionQuery), queryClient.ensureQueryData(settingsQuery)),
  component: SignedIn,
})
