/** The keys that answers are cached under. Invalidating a key covers every key that begins with it. */
export const queryKeys = {
  session: ['session'],
  sessions: ['sessions'],
  secondFactors: ['second-factors'],
  passkeys: ['second-factors', 'passkeys'],
  /** Changes with the second factors. */
  confirmationMethods: ['second-factors', 'confirmation'],
  signInMethods: ['sign-in-methods'],
  authenticatorApp: ['authenticator-app'],
  signInLink: (token: string) => ['sign-in-link', token],
  settings: ['settings'],
  upkeep: ['upkeep'],
  map: ['map'],
  operators: ['operators'],
  audit: (filter: object) => ['audit', filter],
  erasures: ['erasures'],
  erasure: (id: string) => ['erasure', id],

  events: ['events'],
  event: (id: string) => ['event', id],
  replay: (eventId: string) => ['event', eventId, 'replay'],
  race: (eventId: string) => ['event', eventId, 'race'],
  course: (eventId: string) => ['event', eventId, 'race', 'course'],
  checkpoints: (eventId: string) => ['event', eventId, 'race', 'checkpoints'],
  runners: (eventId: string) => ['event', eventId, 'race', 'runners'],
  ranking: (eventId: string) => ['event', eventId, 'race', 'ranking'],
  tokens: (eventId: string) => ['event', eventId, 'tokens'],
  participantTokens: (eventId: string) => ['event', eventId, 'tokens', 'participants'],
  token: (eventId: string, tokenId: string) => ['event', eventId, 'tokens', tokenId],
  shares: (eventId: string) => ['event', eventId, 'shares'],
  shareLinks: (eventId: string) => ['event', eventId, 'shares', 'links'],
  tracks: (eventId: string, filter: object) => ['event', eventId, 'tracks', filter],

  track: (id: string) => ['track', id],
  series: (trackId: string) => ['track', trackId, 'series'],
  splits: (trackId: string, unit: string) => ['track', trackId, 'splits', unit],
  rawPoints: (trackId: string) => ['track', trackId, 'points'],

  shared: (token: string) => ['shared', token],
  sharedReplay: (token: string) => ['shared', token, 'replay'],
  sharedSplits: (token: string, trackId: string, unit: string) => ['shared', token, 'splits', trackId, unit],
  sharedCourse: (token: string) => ['shared', token, 'course'],
  sharedRanking: (token: string) => ['shared', token, 'ranking'],
  sharedSeries: (token: string, trackId: string) => ['shared', token, 'series', trackId],

  workspaces: ['workspaces'],
  workspace: (id: string) => ['workspace', id],
  workspaceKey: (id: string) => ['workspace', id, 'key'],
  workspaceKeys: (id: string) => ['workspace', id, 'keys'],
  furtherKey: (id: string, keyId: string) => ['workspace', id, 'keys', keyId],
  /** Every page of a workspace's library, however it is filtered and sorted. */
  library: (workspaceId: string) => ['workspace', workspaceId, 'publications'],
  filteredLibrary: (workspaceId: string, filter: object) => ['workspace', workspaceId, 'publications', filter],

  /** Those of an event or workspace. */
  webhooks: (ownerId: string) => ['webhooks', ownerId],
  deliveries: (ownerId: string, webhookId: string) => ['webhooks', ownerId, webhookId, 'deliveries'],

  publication: (id: string) => ['publication', id],
  pages: (publicationId: string) => ['publication', publicationId, 'pages'],
  figures: (publicationId: string, days: number) => ['publication', publicationId, 'figures', days],
} as const
