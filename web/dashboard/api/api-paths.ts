const part = encodeURIComponent

const event = (id: string) => `/operator/events/${part(id)}`
const track = (id: string) => `/operator/tracks/${part(id)}`
const workspace = (id: string) => `/operator/workspaces/${part(id)}`
const publication = (id: string) => `/operator/publications/${part(id)}`
const operator = (id: string) => `/operator/operators/${part(id)}`
const shared = (token: string) => `/shares/${part(token)}`

const webhooks = ({ kind, id }: { kind: 'event' | 'workspace'; id: string }) =>
  `${kind === 'event' ? event(id) : workspace(id)}/webhooks`
const webhook = (owner: Parameters<typeof webhooks>[0], id: string) => `${webhooks(owner)}/${part(id)}`

/** Every address of the API that the dashboard requests. */
export const apiPaths = {
  session: '/operator/session',
  confirmation: '/operator/session/confirmation',
  confirmationOptions: '/operator/session/confirmation/options',
  sessions: '/operator/sessions',
  endSession: (id: string) => `/operator/sessions/${part(id)}`,
  signInLink: '/operator/sign-in-link',
  checkSignInLink: '/operator/sign-in-link/check',
  password: '/operator/password',
  sessionSecondFactor: '/operator/session/second-factor',
  secondFactors: '/operator/second-factors',
  authenticatorApp: '/operator/authenticator-app',
  confirmAuthenticatorApp: '/operator/authenticator-app/confirmation',
  recoveryCodes: '/operator/recovery-codes',
  signInMethods: '/operator/sign-in-methods',
  sessionPasskey: '/operator/session/passkey',
  sessionPasskeyOptions: '/operator/session/passkey/options',
  sessionProvider: '/operator/session/provider',
  sessionProviderAddress: '/operator/session/provider/address',
  confirmationProvider: '/operator/session/confirmation/provider',
  confirmationProviderAddress: '/operator/session/confirmation/provider/address',
  passkeys: '/operator/passkeys',
  passkeyOptions: '/operator/passkeys/options',
  passkey: (id: string) => `/operator/passkeys/${part(id)}`,
  settings: '/operator/settings',
  upkeep: '/operator/upkeep',
  confirmClock: '/operator/upkeep/confirm',
  map: '/operator/map',
  mapFiles: '/operator/map/files',
  mapFile: (id: string) => `/operator/map/files/${part(id)}`,

  audit: '/operator/audit',
  auditExport: '/operator/audit/export',

  operators: '/operator/operators',
  operator,
  operatorSignInLink: (id: string) => `${operator(id)}/sign-in-link`,

  erasures: '/operator/erasures',
  previewErasure: '/operator/erasures/preview',
  erasure: (id: string) => `/operator/erasures/${part(id)}`,
  verifyErasure: (id: string) => `/operator/erasures/${part(id)}/verify`,

  events: '/operator/events',
  event,
  eventLive: (id: string) => `${event(id)}/live`,
  eventReplay: (id: string) => `${event(id)}/replay`,
  eventExport: (id: string) => `${event(id)}/export`,
  race: (eventId: string) => `${event(eventId)}/race`,
  course: (eventId: string) => `${event(eventId)}/course`,
  checkpoints: (eventId: string) => `${event(eventId)}/checkpoints`,
  runners: (eventId: string) => `${event(eventId)}/runners`,
  ranking: (eventId: string) => `${event(eventId)}/ranking`,
  results: (eventId: string) => `${event(eventId)}/results`,
  tokens: (eventId: string) => `${event(eventId)}/tokens`,
  participantTokens: (eventId: string) => `${event(eventId)}/participant-tokens`,
  rotateTokens: (eventId: string) => `${event(eventId)}/tokens/rotate`,
  token: (eventId: string, tokenId: string) => `${event(eventId)}/tokens/${part(tokenId)}`,
  eventShares: (eventId: string) => `${event(eventId)}/shares`,
  share: (id: string) => `/operator/shares/${part(id)}`,
  importTracks: (eventId: string) => `${event(eventId)}/import`,
  eventTracks: (eventId: string) => `${event(eventId)}/tracks`,

  track,
  finishTrack: (id: string) => `${track(id)}/finish`,
  trackSeries: (id: string) => `${track(id)}/series`,
  trackSplits: (id: string) => `${track(id)}/splits`,
  trackPoints: (id: string) => `${track(id)}/points`,
  trackExport: (id: string) => `${track(id)}/export`,

  shared,
  sharedLive: (token: string) => `${shared(token)}/live`,
  sharedReplay: (token: string) => `${shared(token)}/replay`,
  sharedSplits: (token: string, trackId: string) => `${shared(token)}/tracks/${part(trackId)}/splits`,
  sharedCourse: (token: string) => `${shared(token)}/course`,
  sharedRanking: (token: string) => `${shared(token)}/ranking`,
  sharedResults: (token: string) => `${shared(token)}/results`,
  sharedSeries: (token: string, trackId: string) => `${shared(token)}/tracks/${part(trackId)}/series`,

  workspaces: '/operator/workspaces',
  workspace,
  workspaceKey: (id: string) => `${workspace(id)}/key`,
  workspaceKeys: (id: string) => `${workspace(id)}/keys`,
  furtherKey: (id: string, keyId: string) => `${workspace(id)}/keys/${part(keyId)}`,
  rotateKey: (id: string) => `${workspace(id)}/key/rotate`,
  workspaceLive: (id: string) => `${workspace(id)}/live`,
  library: (workspaceId: string) => `${workspace(workspaceId)}/publications`,
  uploadUrl: (workspaceId: string) => `${workspace(workspaceId)}/upload-url`,
  upload: (storageKey: string) => `/uploads/${storageKey}`,

  webhooks,
  webhook,
  deliveries: (owner: Parameters<typeof webhooks>[0], id: string) => `${webhook(owner, id)}/deliveries`,

  publication,
  pages: (publicationId: string) => `${publication(publicationId)}/pages`,
  figures: (publicationId: string) => `${publication(publicationId)}/figures`,
  file: (publicationId: string) => `${publication(publicationId)}/file`,
  publish: (publicationId: string) => `${publication(publicationId)}/publish`,
  unpublish: (publicationId: string) => `${publication(publicationId)}/unpublish`,
} as const

/** Returns an address with those of the values that are given as its query string. */
export function withQuery(path: string, values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
