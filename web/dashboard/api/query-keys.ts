/** The keys that answers are cached under. Invalidating a key covers every key that begins with it. */
export const queryKeys = {
  session: ['session'],
  sessions: ['sessions'],
  settings: ['settings'],
  operators: ['operators'],

  events: ['events'],
  event: (id: string) => ['event', id],
  tokens: (eventId: string) => ['event', eventId, 'tokens'],
  token: (eventId: string, tokenId: string) => ['event', eventId, 'tokens', tokenId],
  shares: (eventId: string) => ['event', eventId, 'shares'],
  tracks: (eventId: string, filter: object) => ['event', eventId, 'tracks', filter],

  track: (id: string) => ['track', id],
  series: (trackId: string) => ['track', trackId, 'series'],
  splits: (trackId: string) => ['track', trackId, 'splits'],
  rawPoints: (trackId: string) => ['track', trackId, 'points'],

  shared: (token: string) => ['shared', token],
  sharedSeries: (token: string, trackId: string) => ['shared', token, 'series', trackId],

  workspaces: ['workspaces'],
  workspace: (id: string) => ['workspace', id],
  workspaceKey: (id: string) => ['workspace', id, 'key'],
  /** Every page of a workspace's library, however it is filtered and sorted. */
  library: (workspaceId: string) => ['workspace', workspaceId, 'publications'],
  filteredLibrary: (workspaceId: string, filter: object) => ['workspace', workspaceId, 'publications', filter],

  publication: (id: string) => ['publication', id],
  pages: (publicationId: string) => ['publication', publicationId, 'pages'],
  figures: (publicationId: string, days: number) => ['publication', publicationId, 'figures', days],
} as const
