import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { auditSearch } from '../administration/audit-log.ts'
import { erasureQuery, erasuresQuery, settingsQuery } from '../api/queries.ts'
import { sessionQuery } from '../api/session.ts'
import { UnknownPage } from '../components/page-frames.tsx'
import { ADMINISTRATION, BASE_PATH, paths, SIGNED_IN } from '../components/paths.ts'
import { listSessionsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { allTexts } from '../i18n/i18n.ts'
import { eventOnMap } from './early.ts'
import { AdministrationLayout } from './main-navigation.tsx'
import { singlePages } from './sections.ts'
import { SignedIn } from './signed-in.tsx'

// Loaders start the requests of a page while its code is still on the way, and those of nested routes all at once. They
// wait for nothing: the page itself shows that a request is under way or has failed, as it does for every later one.

type RouterContext = { queryClient: QueryClient }

/** Loads the texts of the page at an address. Undefined for a live map, whose texts come at the start. */
export function textsOfPage(pathname: string): Promise<void> | undefined {
  return eventOnMap(pathname) === undefined ? allTexts() : undefined
}

/** The route above all others. */
export const root = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ location }) => textsOfPage(BASE_PATH + location.pathname),
  component: Outlet,
  notFoundComponent: UnknownPage,
})

/** The route above all pages for signed-in operators. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: SIGNED_IN,
  loader: ({ context: { queryClient } }) =>
    start(queryClient.ensureQueryData(sessionQuery), queryClient.ensureQueryData(settingsQuery)),
  component: SignedIn,
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: paths.account,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureQueryData(listSessionsOptions())),
  component: lazyRouteComponent(() => import('../access/account-page.tsx'), 'AccountPage'),
})
const administration = createRoute({
  getParentRoute: () => signedIn,
  id: ADMINISTRATION,
  component: AdministrationLayout,
})
const auditLog = createRoute({
  getParentRoute: () => administration,
  path: paths.auditLog,
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../administration/audit-page.tsx'), 'AuditPage'),
})
const erasures = createRoute({
  getParentRoute: () => administration,
  path: paths.erasures,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureInfiniteQueryData(erasuresQuery)),
  component: lazyRouteComponent(() => import('../administration/erasures-page.tsx'), 'ErasuresPage'),
})
const erasure = createRoute({
  getParentRoute: () => administration,
  path: paths.erasure,
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(erasureQuery(params.erasureId))),
  component: lazyRouteComponent(() => import('../administration/erasure-page.tsx'), 'ErasurePage'),
})

const singlePageRoutes = singlePages.map(({ to, page, asks }) =>
  createRoute({
    getParentRoute: () => administration,
    path: to,
    loader: ({ context: { queryClient } }) => start(queryClient.ensureQueryData(asks() as { queryKey: QueryKey })),
    component: page,
  }),
)

const bin = createRoute({
  getParentRoute: () => signedIn,
  path: paths.bin,
  component: lazyRouteComponent(() => import('../events/bin-page.tsx'), 'BinPage'),
})

/** The pages of the account, and of what concerns the whole installation. */
export const settingsRoutes = [
  account,
  bin,
  administration.addChildren([auditLog, erasures, erasure, ...singlePageRoutes]),
] as const

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  component: lazyRouteComponent(() => import('../access/sign-in-page.tsx'), 'SignInPage'),
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } => (typeof back === 'string' ? { back } : {}),
})
const signInConfirm = createRoute({
  getParentRoute: () => root,
  path: paths.signInConfirm,
  component: lazyRouteComponent(() => import('../access/provider-pages.tsx'), 'ProviderConfirmPage'),
})
const signInProvider = createRoute({
  getParentRoute: () => root,
  path: paths.signInProvider,
  component: lazyRouteComponent(() => import('../access/provider-pages.tsx'), 'ProviderPage'),
})

/** The ways to sign in. */
export const signInRoutes = [signIn, signInProvider, signInConfirm] as const

/** Lets requests of a loader run on; the query cache holds their answers and failures for the page. */
export function start(...requests: Promise<unknown>[]): void {
  void Promise.allSettled(requests)
}

/** Loads answers about the thing that the address names by this parameter. */
export function about(name: string, ...all: ((about: ReturnType<typeof pathOf>) => object)[]) {
  return ({ context: { queryClient }, params }: { context: RouterContext; params: Record<string, string> }) =>
    start(...all.map((options) => queryClient.ensureQueryData(options(pathOf(params[name])) as { queryKey: QueryKey })))
}

/** Returns the path of an operation about one thing. */
export function pathOf(id: string) {
  return { path: { id } }
}
