import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { Loading } from './feedback/loaded.tsx'
import { PageFailed } from './feedback/page-failed.tsx'
import { BASE_PATH, paths } from './navigation/paths.ts'
import { AccountPage } from './pages/account/account-page.tsx'
import { EventLayout } from './pages/event/event-layout.tsx'
import { EventSettingsPage } from './pages/event/event-settings-page.tsx'
import { SharingPage } from './pages/event/sharing-page.tsx'
import { TokensPage } from './pages/event/tokens-page.tsx'
import { trackSearch } from './pages/event/track-search.ts'
import { EventCreatePage } from './pages/events/event-create-page.tsx'
import { EventsPage } from './pages/events/events-page.tsx'
import { HomePage } from './pages/home/home-page.tsx'
import { OperatorsPage } from './pages/operators/operators-page.tsx'
import { figureSearch } from './pages/publication/figure-period.ts'
import { SignInPage } from './pages/sign-in/sign-in-page.tsx'
import { KeyPage } from './pages/workspace/key-page.tsx'
import { librarySearch } from './pages/workspace/library-search.ts'
import { WorkspaceLayout } from './pages/workspace/workspace-layout.tsx'
import { WorkspaceSettingsPage } from './pages/workspace/workspace-settings-page.tsx'
import { WorkspaceCreatePage } from './pages/workspaces/workspace-create-page.tsx'
import { WorkspacesPage } from './pages/workspaces/workspaces-page.tsx'
import { SignedIn } from './shell/signed-in.tsx'
import { UnknownPage } from './shell/unknown-page.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: UnknownPage })

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  component: SignInPage,
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } => (typeof back === 'string' ? { back } : {}),
})
// Pages with a map bring its library, and are loaded when they are first shown.
const share = createRoute({
  getParentRoute: () => root,
  path: paths.share,
  component: lazyRouteComponent(() => import('./pages/share/share-page.tsx'), 'SharePage'),
})

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn })
const home = createRoute({ getParentRoute: () => signedIn, path: paths.home, component: HomePage })
const events = createRoute({ getParentRoute: () => signedIn, path: paths.events, component: EventsPage })
const newEvent = createRoute({ getParentRoute: () => signedIn, path: paths.newEvent, component: EventCreatePage })
const account = createRoute({ getParentRoute: () => signedIn, path: paths.account, component: AccountPage })
const operators = createRoute({ getParentRoute: () => signedIn, path: paths.operators, component: OperatorsPage })
const track = createRoute({
  getParentRoute: () => signedIn,
  path: paths.track,
  component: lazyRouteComponent(() => import('./pages/track/track-page.tsx'), 'TrackPage'),
})

const event = createRoute({ getParentRoute: () => signedIn, path: paths.event, component: EventLayout })
const eventMap = createRoute({
  getParentRoute: () => event,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/event/live-map-page.tsx'), 'LiveMapPage'),
})
const eventTracks = createRoute({
  getParentRoute: () => event,
  path: 'tracks',
  component: lazyRouteComponent(() => import('./pages/event/tracks-page.tsx'), 'TracksPage'),
  validateSearch: trackSearch,
})
const eventTokens = createRoute({ getParentRoute: () => event, path: 'tokens', component: TokensPage })
const eventSharing = createRoute({ getParentRoute: () => event, path: 'sharing', component: SharingPage })
const eventSettings = createRoute({ getParentRoute: () => event, path: 'settings', component: EventSettingsPage })

const workspaces = createRoute({ getParentRoute: () => signedIn, path: paths.workspaces, component: WorkspacesPage })
const newWorkspace = createRoute({
  getParentRoute: () => signedIn,
  path: paths.newWorkspace,
  component: WorkspaceCreatePage,
})
const workspace = createRoute({ getParentRoute: () => signedIn, path: paths.workspace, component: WorkspaceLayout })
const library = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/workspace/library-page.tsx'), 'LibraryPage'),
  validateSearch: librarySearch,
})
const workspaceKey = createRoute({ getParentRoute: () => workspace, path: 'key', component: KeyPage })
const workspaceSettings = createRoute({
  getParentRoute: () => workspace,
  path: 'settings',
  component: WorkspaceSettingsPage,
})

const publication = createRoute({
  getParentRoute: () => signedIn,
  path: paths.publication,
  component: lazyRouteComponent(() => import('./pages/publication/publication-layout.tsx'), 'PublicationLayout'),
})
const publicationOverview = createRoute({
  getParentRoute: () => publication,
  path: '/',
  component: lazyRouteComponent(
    () => import('./pages/publication/publication-overview-page.tsx'),
    'PublicationOverviewPage',
  ),
})
const publicationReaders = createRoute({
  getParentRoute: () => publication,
  path: 'readers',
  component: lazyRouteComponent(
    () => import('./pages/publication/publication-readers-page.tsx'),
    'PublicationReadersPage',
  ),
  validateSearch: figureSearch,
})
const publicationSettings = createRoute({
  getParentRoute: () => publication,
  path: 'settings',
  component: lazyRouteComponent(
    () => import('./pages/publication/publication-settings-page.tsx'),
    'PublicationSettingsPage',
  ),
})

const routeTree = root.addChildren([
  signIn,
  share,
  signedIn.addChildren([
    home,
    events,
    newEvent,
    account,
    operators,
    track,
    event.addChildren([eventMap, eventTracks, eventTokens, eventSharing, eventSettings]),
    workspaces,
    newWorkspace,
    workspace.addChildren([library, workspaceKey, workspaceSettings]),
    publication.addChildren([publicationOverview, publicationReaders, publicationSettings]),
  ]),
])

/** Every page under its address. */
export const router = createRouter({
  routeTree,
  basepath: BASE_PATH,
  scrollRestoration: true,
  defaultErrorComponent: PageFailed,
  defaultPendingComponent: Loading,
  defaultNotFoundComponent: UnknownPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
