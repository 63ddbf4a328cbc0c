import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, lazyRouteComponent as lazy } from '@tanstack/react-router'
import { eventQuery, eventsQuery, tokensQuery } from './api/events.ts'
import { figuresQuery, libraryQuery, pagesQuery, publicationQuery } from './api/publications.ts'
import { checkpointsQuery, courseQuery, raceQuery, rankingQuery, runnersQuery } from './api/races.ts'
import { replayQuery } from './api/replays.ts'
import { sharesQuery } from './api/shares.ts'
import { seriesQuery, splitsQuery, trackQuery, tracksQuery } from './api/tracks.ts'
import { webhooksQuery } from './api/webhooks.ts'
import { workspaceQuery, workspacesQuery } from './api/workspaces.ts'
import { Loading } from './feedback/loaded.tsx'
import { PageFailed } from './feedback/page-failed.tsx'
import { currentSystem, unitsOf } from './i18n/units.ts'
import { BASE_PATH, paths } from './navigation/paths.ts'
import { start } from './navigation/start-requests.ts'
import { EventLayout } from './pages/event/event-layout.tsx'
import { trackSearch } from './pages/event/track-search.ts'
import { EventsPage } from './pages/events/events-page.tsx'
import { HomePage } from './pages/home/home-page.tsx'
import { DEFAULT_PERIOD, figureSearch } from './pages/publication/figure-period.ts'
import { raceSearch } from './pages/race/race-search.ts'
import { ProviderConfirmPage } from './pages/sign-in/provider-confirm-page.tsx'
import { ProviderPage } from './pages/sign-in/provider-page.tsx'
import { SignInPage } from './pages/sign-in/sign-in-page.tsx'
import { filterOf, librarySearch } from './pages/workspace/library-search.ts'
import { WorkspaceLayout } from './pages/workspace/workspace-layout.tsx'
import { WorkspacesPage } from './pages/workspaces/workspaces-page.tsx'
import { root, signedIn } from './root-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { UnknownPage } from './shell/unknown-page.tsx'

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  component: SignInPage,
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } => (typeof back === 'string' ? { back } : {}),
})
const signInConfirm = createRoute({
  getParentRoute: () => root,
  path: paths.signInConfirm,
  component: ProviderConfirmPage,
})
const signInProvider = createRoute({
  getParentRoute: () => root,
  path: paths.signInProvider,
  component: ProviderPage,
})
const mapPreview = createRoute({
  getParentRoute: () => root,
  path: paths.mapPreview,
  component: lazy(() => import('./pages/map-preview/map-preview-page.tsx'), 'MapPreviewPage'),
})
// Pages with a map, and pages with forms, bring libraries of their own. They are loaded when they are first shown.
const home = createRoute({ getParentRoute: () => signedIn, path: paths.home, component: HomePage })

const events = createRoute({
  getParentRoute: () => signedIn,
  path: paths.events,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureQueryData(eventsQuery)),
  component: EventsPage,
})
const newEvent = createRoute({
  getParentRoute: () => signedIn,
  path: paths.newEvent,
  component: lazy(() => import('./pages/events/event-create-page.tsx'), 'EventCreatePage'),
})
const event = createRoute({
  getParentRoute: () => signedIn,
  path: paths.event,
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(eventQuery(params.eventId))),
  component: EventLayout,
})
const eventMap = createRoute({
  getParentRoute: () => event,
  path: '/',
  component: lazy(() => import('./pages/event/live-map-page.tsx'), 'LiveMapPage'),
})
const eventRace = createRoute({
  getParentRoute: () => event,
  path: 'race',
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(raceQuery(params.eventId))),
  component: lazy(() => import('./pages/race/race-layout.tsx'), 'RaceLayout'),
})
const eventRanking = createRoute({
  getParentRoute: () => eventRace,
  path: '/',
  validateSearch: raceSearch,
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(rankingQuery(params.eventId))),
  component: lazy(() => import('./pages/race/ranking-page.tsx'), 'RankingPage'),
})
const eventResults = createRoute({
  getParentRoute: () => eventRace,
  path: 'results',
  validateSearch: raceSearch,
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(rankingQuery(params.eventId))),
  component: lazy(() => import('./pages/race/results-page.tsx'), 'ResultsPage'),
})
const eventCourse = createRoute({
  getParentRoute: () => eventRace,
  path: 'course',
  loader: ({ context: { queryClient }, params }) =>
    start(
      queryClient.ensureQueryData(courseQuery(params.eventId)),
      queryClient.ensureQueryData(checkpointsQuery(params.eventId)),
    ),
  component: lazy(() => import('./pages/race/course-page.tsx'), 'CoursePage'),
})
const eventRunners = createRoute({
  getParentRoute: () => eventRace,
  path: 'runners',
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(runnersQuery(params.eventId))),
  component: lazy(() => import('./pages/race/start-list-page.tsx'), 'StartListPage'),
})
const eventReplay = createRoute({
  getParentRoute: () => event,
  path: 'replay',
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(replayQuery(params.eventId))),
  component: lazy(() => import('./pages/event/replay-page.tsx'), 'ReplayPage'),
})
const eventTracks = createRoute({
  getParentRoute: () => event,
  path: 'tracks',
  validateSearch: trackSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps }) =>
    start(queryClient.ensureInfiniteQueryData(tracksQuery(params.eventId, deps))),
  component: lazy(() => import('./pages/event/tracks-page.tsx'), 'TracksPage'),
})
const eventTokens = createRoute({
  getParentRoute: () => event,
  path: 'tokens',
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(tokensQuery(params.eventId))),
  component: lazy(() => import('./pages/tokens/tokens-page.tsx'), 'TokensPage'),
})
// The tokens, and the key below, are requested when they are shown, and not kept any longer than that.
const eventTokenSheet = createRoute({
  getParentRoute: () => event,
  path: 'tokens/sheet',
  component: lazy(() => import('./pages/tokens/token-sheet-page.tsx'), 'TokenSheetPage'),
})
const eventPhones = createRoute({
  getParentRoute: () => event,
  path: 'phones',
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(tokensQuery(params.eventId))),
  component: lazy(() => import('./pages/phones/phones-page.tsx'), 'PhonesPage'),
})
const eventSharing = createRoute({
  getParentRoute: () => event,
  path: 'sharing',
  loader: ({ context: { queryClient }, params }) => start(queryClient.ensureQueryData(sharesQuery(params.eventId))),
  component: lazy(() => import('./pages/event/sharing-page.tsx'), 'SharingPage'),
})
const eventWebhooks = createRoute({
  getParentRoute: () => event,
  path: 'webhooks',
  loader: ({ context: { queryClient }, params }) =>
    start(queryClient.ensureQueryData(webhooksQuery({ kind: 'event', id: params.eventId }))),
  component: lazy(() => import('./pages/event/webhooks-page.tsx'), 'EventWebhooksPage'),
})
const eventSettings = createRoute({
  getParentRoute: () => event,
  path: 'settings',
  component: lazy(() => import('./pages/event/event-settings-page.tsx'), 'EventSettingsPage'),
})
const track = createRoute({
  getParentRoute: () => signedIn,
  path: paths.track,
  loader: ({ context: { queryClient }, params: { trackId } }) =>
    start(
      queryClient.ensureQueryData(trackQuery(trackId)),
      queryClient.ensureQueryData(seriesQuery(trackId)),
      queryClient.ensureQueryData(splitsQuery(trackId, unitsOf(currentSystem(), 'en').far)),
    ),
  component: lazy(() => import('./pages/track/track-page.tsx'), 'TrackPage'),
})

const workspaces = createRoute({
  getParentRoute: () => signedIn,
  path: paths.workspaces,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureQueryData(workspacesQuery)),
  component: WorkspacesPage,
})
const newWorkspace = createRoute({
  getParentRoute: () => signedIn,
  path: paths.newWorkspace,
  component: lazy(() => import('./pages/workspaces/workspace-create-page.tsx'), 'WorkspaceCreatePage'),
})
const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: paths.workspace,
  loader: ({ context: { queryClient }, params }) =>
    start(queryClient.ensureQueryData(workspaceQuery(params.workspaceId))),
  component: WorkspaceLayout,
})
const library = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  validateSearch: librarySearch,
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queryClient }, params, deps }) =>
    start(queryClient.ensureInfiniteQueryData(libraryQuery(params.workspaceId, deps))),
  component: lazy(() => import('./pages/workspace/library-page.tsx'), 'LibraryPage'),
})
const workspaceKey = createRoute({
  getParentRoute: () => workspace,
  path: 'key',
  component: lazy(() => import('./pages/workspace/key-page.tsx'), 'KeyPage'),
})
const workspaceWebhooks = createRoute({
  getParentRoute: () => workspace,
  path: 'webhooks',
  loader: ({ context: { queryClient }, params }) =>
    start(queryClient.ensureQueryData(webhooksQuery({ kind: 'workspace', id: params.workspaceId }))),
  component: lazy(() => import('./pages/workspace/webhooks-page.tsx'), 'WorkspaceWebhooksPage'),
})
const workspaceSettings = createRoute({
  getParentRoute: () => workspace,
  path: 'settings',
  component: lazy(() => import('./pages/workspace/workspace-settings-page.tsx'), 'WorkspaceSettingsPage'),
})

const publication = createRoute({
  getParentRoute: () => signedIn,
  path: paths.publication,
  loader: ({ context: { queryClient }, params }) =>
    start(queryClient.ensureQueryData(publicationQuery(params.publicationId))),
  component: lazy(() => import('./pages/publication/publication-layout.tsx'), 'PublicationLayout'),
})
const publicationOverview = createRoute({
  getParentRoute: () => publication,
  path: '/',
  loader: ({ context: { queryClient }, params }) =>
    start(queryClient.ensureQueryData(pagesQuery(params.publicationId))),
  component: lazy(() => import('./pages/publication/publication-overview-page.tsx'), 'PublicationOverviewPage'),
})
const publicationReaders = createRoute({
  getParentRoute: () => publication,
  path: 'readers',
  validateSearch: figureSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps: { days = DEFAULT_PERIOD } }) =>
    start(queryClient.ensureQueryData(figuresQuery(params.publicationId, days))),
  component: lazy(() => import('./pages/publication/publication-readers-page.tsx'), 'PublicationReadersPage'),
})
const publicationSettings = createRoute({
  getParentRoute: () => publication,
  path: 'settings',
  component: lazy(() => import('./pages/publication/publication-settings-page.tsx'), 'PublicationSettingsPage'),
})

const routeTree = root.addChildren([
  signIn,
  signInProvider,
  signInConfirm,
  mapPreview,
  signedIn.addChildren([
    home,
    ...settingsRoutes,
    events,
    newEvent,
    event.addChildren([
      eventMap,
      eventRace.addChildren([eventRanking, eventResults, eventCourse, eventRunners]),
      eventReplay,
      eventTracks,
      eventTokens,
      eventTokenSheet,
      eventPhones,
      eventSharing,
      eventWebhooks,
      eventSettings,
    ]),
    track,
    workspaces,
    newWorkspace,
    workspace.addChildren([library, workspaceKey, workspaceWebhooks, workspaceSettings]),
    publication.addChildren([publicationOverview, publicationReaders, publicationSettings]),
  ]),
])

/** Creates the router of all pages. Their loaders fill the cache of the query client. */
export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: BASE_PATH,
    context: { queryClient },
    scrollRestoration: true,
    defaultErrorComponent: PageFailed,
    defaultPendingComponent: Loading,
    defaultNotFoundComponent: UnknownPage,
  })
}
