import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, lazyRouteComponent as lazy, redirect } from '@tanstack/react-router'
import { courseQuery, figuresQuery, libraryQuery, replayQuery, sharesQuery, tracksQuery } from '../api/queries.ts'
import { Loading } from '../components/feedback.tsx'
import { PageFailed, UnknownPage } from '../components/page-frames.tsx'
import { BASE_PATH, movedPaths, paths } from '../components/paths.ts'
import { EventLayout } from '../events/event-layout.tsx'
import {
  operatorGetEventOptions,
  operatorGetFaceOptions,
  operatorGetPublicationOptions,
  operatorGetRaceOptions,
  operatorGetRankingOptions,
  operatorGetSeriesOptions,
  operatorGetSplitsOptions,
  operatorGetTrackOptions,
  operatorGetWorkspaceOptions,
  operatorListCheckpointsOptions,
  operatorListEventsOptions,
  operatorListKeysOptions,
  operatorListPagesOptions,
  operatorListRunnersOptions,
  operatorListTokensOptions,
  operatorListWorkspacesOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import { currentSystem, unitsOf } from '../i18n/units.ts'
import { DEFAULT_PERIOD, figureSearch, filterOf, librarySearch } from '../library/library-search.ts'
import { comparisonSearch, trackSearch } from '../tracks/track-search.ts'
import { webhooksQuery } from '../webhooks/webhook-requests.ts'
import { HomePage } from './main-navigation.tsx'
import { about, pathOf, root, settingsRoutes, signedIn, signInRoutes, start } from './root-routes.ts'

/** The part of the address that the results read: the category that is shown, and all passing times or the ranking. */
type ResultsSearch = { category?: string; view?: 'passings' }

/** Reads the search of an address. */
function resultsSearch({ category, view }: Record<string, unknown>): ResultsSearch {
  return {
    ...(typeof category === 'string' && category !== '' && { category }),
    ...(view === 'passings' && { view }),
  }
}

const mapPreview = createRoute({
  getParentRoute: () => root,
  path: paths.mapPreview,
  component: lazy(() => import('../administration/map-preview-page.tsx'), 'MapPreviewPage'),
})
// Pages with a map, and pages with forms, bring libraries of their own. They are loaded when they are first shown.
const home = createRoute({ getParentRoute: () => signedIn, path: paths.home, component: HomePage })

const events = createRoute({
  getParentRoute: () => signedIn,
  path: paths.events,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureQueryData(operatorListEventsOptions())),
  component: lazy(() => import('../events/events-page.tsx'), 'EventsPage'),
})
const newEvent = createRoute({
  getParentRoute: () => signedIn,
  path: paths.newEvent,
  component: lazy(() => import('../events/event-create-page.tsx'), 'EventCreatePage'),
})
const event = createRoute({
  getParentRoute: () => signedIn,
  path: paths.event,
  loader: about('eventId', operatorGetEventOptions),
  component: EventLayout,
})
const eventMap = createRoute({
  getParentRoute: () => event,
  path: '/',
  component: lazy(() => import('../live/live-map-page.tsx'), 'LiveMapPage'),
})
const eventResults = createRoute({
  getParentRoute: () => event,
  path: 'results',
  validateSearch: resultsSearch,
  loader: about('eventId', operatorGetRankingOptions),
  component: lazy(() => import('../race/results-page.tsx'), 'ResultsPage'),
})
const eventCourse = createRoute({
  getParentRoute: () => event,
  path: 'course',
  loader: about(
    'eventId',
    ({ path: { id } }) => courseQuery(id),
    operatorListCheckpointsOptions,
    operatorGetRaceOptions,
  ),
  component: lazy(() => import('../race/course-page.tsx'), 'CoursePage'),
})
const eventParticipants = createRoute({
  getParentRoute: () => event,
  path: 'participants',
  loader: about('eventId', operatorListRunnersOptions),
  component: lazy(() => import('../race/start-list-page.tsx'), 'StartListPage'),
})
const eventPhones = createRoute({
  getParentRoute: () => event,
  path: 'participants/phones',
  loader: about('eventId', operatorListTokensOptions),
  component: lazy(() => import('../credentials/phones-page.tsx'), 'PhonesPage'),
})
// The tokens, and the key below, are requested when they are shown, and not kept any longer than that.
const eventCodeSheet = createRoute({
  getParentRoute: () => event,
  path: 'participants/codes',
  component: lazy(() => import('../credentials/token-sheet-page.tsx'), 'TokenSheetPage'),
})
const eventReplay = createRoute({
  getParentRoute: () => event,
  path: 'replay',
  loader: about('eventId', ({ path: { id } }) => replayQuery(id)),
  component: lazy(() => import('../live/replay-page.tsx'), 'ReplayPage'),
})
const eventTracks = createRoute({
  getParentRoute: () => event,
  path: 'tracks',
  validateSearch: trackSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps }) =>
    start(queryClient.ensureInfiniteQueryData(tracksQuery(params.eventId, deps))),
  component: lazy(() => import('../tracks/tracks-page.tsx'), 'TracksPage'),
})
const eventComparison = createRoute({
  getParentRoute: () => event,
  path: 'tracks/compare',
  validateSearch: comparisonSearch,
  loaderDeps: ({ search: { a, b } }) => ({ a, b }),
  loader: ({ context: { queryClient }, params, deps: { a, b } }) =>
    start(
      queryClient.ensureQueryData(courseQuery(params.eventId)),
      ...[a, b]
        .filter((id) => id !== undefined)
        .flatMap((id) => [
          queryClient.ensureQueryData(operatorGetTrackOptions(pathOf(id))),
          queryClient.ensureQueryData(operatorGetSeriesOptions(pathOf(id))),
        ]),
    ),
  component: lazy(() => import('../comparison/comparison-page.tsx'), 'ComparisonPage'),
})
const eventShare = createRoute({
  getParentRoute: () => event,
  path: 'share',
  loader: about('eventId', ({ path: { id } }) => sharesQuery(id)),
  component: lazy(() => import('../events/sharing-page.tsx'), 'SharingPage'),
})
const eventSettings = createRoute({
  getParentRoute: () => event,
  path: 'settings',
  component: lazy(() => import('../events/event-settings-page.tsx'), 'EventSettingsPage'),
})
const eventDevelopers = createRoute({
  getParentRoute: () => event,
  path: 'settings/developers',
  loader: about('eventId', operatorListTokensOptions, ({ path }) => webhooksQuery({ kind: 'event', ...path })),
  component: lazy(() => import('../events/developers-page.tsx'), 'DevelopersPage'),
})
const moved = Object.entries(movedPaths).map(([from, to]) =>
  createRoute({
    getParentRoute: () => signedIn,
    path: from,
    beforeLoad: ({ params, search }) => {
      const view = from === '/events/$eventId/race/results' ? { view: 'passings' } : {}
      throw redirect({ to, params, search: { ...search, ...view }, replace: true })
    },
  }),
)
const track = createRoute({
  getParentRoute: () => signedIn,
  path: paths.track,
  loader: about('trackId', operatorGetTrackOptions, operatorGetSeriesOptions, ({ path }) =>
    operatorGetSplitsOptions({ path, query: { unit: unitsOf(currentSystem(), 'en').far } }),
  ),
  component: lazy(() => import('../tracks/track-page.tsx'), 'TrackPage'),
})

const workspaces = createRoute({
  getParentRoute: () => signedIn,
  path: paths.workspaces,
  loader: ({ context: { queryClient } }) => start(queryClient.ensureQueryData(operatorListWorkspacesOptions())),
  component: lazy(() => import('../library/workspaces-page.tsx'), 'WorkspacesPage'),
})
const newWorkspace = createRoute({
  getParentRoute: () => signedIn,
  path: paths.newWorkspace,
  component: lazy(() => import('../library/workspace-create-page.tsx'), 'WorkspaceCreatePage'),
})
const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: paths.workspace,
  loader: about('workspaceId', operatorGetWorkspaceOptions),
  component: lazy(() => import('../library/workspace-layout.tsx'), 'WorkspaceLayout'),
})
const library = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  validateSearch: librarySearch,
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queryClient }, params, deps }) =>
    start(queryClient.ensureInfiniteQueryData(libraryQuery(params.workspaceId, deps))),
  component: lazy(() => import('../library/library-page.tsx'), 'LibraryPage'),
})
const workspaceFace = createRoute({
  getParentRoute: () => workspace,
  path: 'face',
  loader: about('workspaceId', operatorGetFaceOptions),
  component: lazy(() => import('../library/workspace-face-page.tsx'), 'WorkspaceFacePage'),
})
const workspacePrograms = createRoute({
  getParentRoute: () => workspace,
  path: 'programs',
  loader: about('workspaceId', operatorListKeysOptions, ({ path }) => webhooksQuery({ kind: 'workspace', ...path })),
  component: lazy(() => import('../library/workspace-programs-page.tsx'), 'WorkspaceProgramsPage'),
})
const workspaceSettings = createRoute({
  getParentRoute: () => workspace,
  path: 'settings',
  component: lazy(() => import('../library/workspace-settings-page.tsx'), 'WorkspaceSettingsPage'),
})
const workspaceBin = createRoute({
  getParentRoute: () => workspace,
  path: 'bin',
  component: lazy(() => import('../library/workspace-bin-page.tsx'), 'WorkspaceBinPage'),
})

const publication = createRoute({
  getParentRoute: () => signedIn,
  path: paths.publication,
  loader: about('publicationId', operatorGetPublicationOptions),
  component: lazy(() => import('../library/publication-layout.tsx'), 'PublicationLayout'),
})
const publicationHome = createRoute({
  getParentRoute: () => publication,
  path: '/',
  loader: about('publicationId', operatorListPagesOptions),
  component: lazy(() => import('../library/publication-page.tsx'), 'PublicationPage'),
})
const publicationReaders = createRoute({
  getParentRoute: () => publication,
  path: 'readers',
  validateSearch: figureSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps: { days = DEFAULT_PERIOD } }) =>
    start(queryClient.ensureQueryData(figuresQuery(params.publicationId, days))),
  component: lazy(() => import('../library/publication-readers-page.tsx'), 'PublicationReadersPage'),
})

const routeTree = root.addChildren([
  ...signInRoutes,
  mapPreview,
  signedIn.addChildren([
    home,
    ...settingsRoutes,
    events,
    newEvent,
    event.addChildren([
      eventMap,
      eventReplay,
      eventParticipants,
      eventPhones,
      eventCodeSheet,
      eventResults,
      eventCourse,
      eventTracks,
      eventComparison,
      eventShare,
      eventSettings,
      eventDevelopers,
    ]),
    ...moved,
    track,
    workspaces,
    newWorkspace,
    workspace.addChildren([library, workspaceFace, workspacePrograms, workspaceSettings, workspaceBin]),
    publication.addChildren([publicationHome, publicationReaders]),
  ]),
])

/** Creates the router of all pages. Their loaders fill the cache of the query client. */
export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: BASE_PATH,
    context: { queryClient },
    scrollRestoration: true,
    // Without it, a page about another thing would keep the state of the former, such as a key that is shown.
    defaultRemountDeps: ({ params }) => params,
    defaultErrorComponent: PageFailed,
    defaultPendingComponent: Loading,
    defaultNotFoundComponent: UnknownPage,
  })
}
