/** Every address of the dashboard, below {@link BASE_PATH}. */
export const BASE_PATH = '/dashboard'

export const paths = {
  home: '/',
  events: '/events',
  newEvent: '/events/new',
  event: '/events/$eventId',
  eventTracks: '/events/$eventId/tracks',
  eventTokens: '/events/$eventId/tokens',
  eventSharing: '/events/$eventId/sharing',
  eventSettings: '/events/$eventId/settings',
  track: '/tracks/$trackId',
  workspaces: '/workspaces',
  newWorkspace: '/workspaces/new',
  workspace: '/workspaces/$workspaceId',
  workspaceKey: '/workspaces/$workspaceId/key',
  workspaceSettings: '/workspaces/$workspaceId/settings',
  publication: '/publications/$publicationId',
  publicationReaders: '/publications/$publicationId/readers',
  publicationSettings: '/publications/$publicationId/settings',
  account: '/account',
  operators: '/operators',
  signIn: '/sign-in',
  share: '/share',
} as const

/** The page where a sign-in link leads; the token stands in the fragment, which no server ever sees. */
export function signInLinkToken(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? undefined
}
