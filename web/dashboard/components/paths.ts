/** The address that every page of the dashboard is below. */
export const BASE_PATH = '/dashboard'

/** The addresses of all pages, below {@link BASE_PATH}. */
export const paths = {
  home: '/',
  events: '/events',
  newEvent: '/events/new',
  bin: '/events/bin',
  event: '/events/$eventId',
  eventReplay: '/events/$eventId/replay',
  eventParticipants: '/events/$eventId/participants',
  eventPhones: '/events/$eventId/participants/phones',
  eventCodeSheet: '/events/$eventId/participants/codes',
  eventResults: '/events/$eventId/results',
  eventCourse: '/events/$eventId/course',
  eventTracks: '/events/$eventId/tracks',
  eventComparison: '/events/$eventId/tracks/compare',
  eventShare: '/events/$eventId/share',
  eventSettings: '/events/$eventId/settings',
  eventDevelopers: '/events/$eventId/settings/developers',
  track: '/tracks/$trackId',
  workspaces: '/workspaces',
  newWorkspace: '/workspaces/new',
  workspace: '/workspaces/$workspaceId',
  workspacePrograms: '/workspaces/$workspaceId/programs',
  workspaceFace: '/workspaces/$workspaceId/face',
  workspaceSettings: '/workspaces/$workspaceId/settings',
  workspaceBin: '/workspaces/$workspaceId/bin',
  publication: '/publications/$publicationId',
  publicationReaders: '/publications/$publicationId/readers',
  account: '/account',
  auditLog: '/audit',
  mapSettings: '/settings/map',
  erasures: '/settings/erasures',
  erasure: '/settings/erasures/$erasureId',
  mapPreview: '/map-preview',
  signIn: '/sign-in',
  signInProvider: '/sign-in/provider',
  signInConfirm: '/sign-in/confirm',
} as const

/** Former addresses of pages, each with the one to which bookmarks of it lead. */
export const movedPaths = {
  '/events/$eventId/race': paths.eventResults,
  '/events/$eventId/race/results': paths.eventResults,
  '/events/$eventId/race/course': paths.eventCourse,
  '/events/$eventId/race/runners': paths.eventParticipants,
  '/events/$eventId/phones': paths.eventPhones,
  '/events/$eventId/tokens': paths.eventDevelopers,
  '/events/$eventId/tokens/sheet': paths.eventCodeSheet,
  '/events/$eventId/webhooks': paths.eventDevelopers,
  '/events/$eventId/sharing': paths.eventShare,
  '/workspaces/$workspaceId/key': paths.workspacePrograms,
  '/workspaces/$workspaceId/webhooks': paths.workspacePrograms,
  '/publications/$publicationId/settings': paths.publication,
} as const

/** The id of the route that all pages for signed-in operators are below. */
export const SIGNED_IN = 'signed-in'

/** The id of the route that the pages about the whole installation are below. */
export const ADMINISTRATION = 'administration'

/** The ids of routes whose parameters or search a page reads. */
export const routeIds = {
  event: `/${SIGNED_IN}${paths.event}`,
  eventResults: `/${SIGNED_IN}${paths.eventResults}`,
  eventTracks: `/${SIGNED_IN}${paths.eventTracks}`,
  eventComparison: `/${SIGNED_IN}${paths.eventComparison}`,
  auditLog: `/${SIGNED_IN}/${ADMINISTRATION}${paths.auditLog}`,
  track: `/${SIGNED_IN}${paths.track}`,
  erasure: `/${SIGNED_IN}/${ADMINISTRATION}${paths.erasure}`,
  workspace: `/${SIGNED_IN}${paths.workspace}`,
  library: `/${SIGNED_IN}${paths.workspace}/`,
  publication: `/${SIGNED_IN}${paths.publication}`,
  publicationReaders: `/${SIGNED_IN}${paths.publicationReaders}`,
} as const

/** Returns the token of a sign-in link. It is in the fragment, which browsers never send to a server. */
export function signInLinkToken(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? undefined
}

/** Addresses of the guides and the API reference, which the server shows outside the dashboard. */
export const guides = {
  appDevelopers: '/docs/app-developers',
  phoneApps: '/docs/phone-apps',
  publishing: '/docs/publishing',
  webhooks: '/docs/webhooks',
  operating: '/docs/operating',
  backUp: '/docs/operating#back-up',
  reference: '/docs',
  events: '/docs/events',
} as const

/** Guides that the server has in French as well. */
const FRENCH: readonly string[] = [guides.events, guides.phoneApps, guides.publishing]

/** Returns the address of a guide in a language of the pages, or of the English one where there is no other. */
export function guideIn(language: string, address: string): string {
  return language === 'fr' && FRENCH.includes(address) ? address.replace('/docs/', '/docs/fr/') : address
}
