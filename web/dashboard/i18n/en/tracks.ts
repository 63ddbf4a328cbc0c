/** The list of tracks. */
export const tracks = {
  'state.running': 'Under way',
  'state.paused': 'Paused',
  'state.stopped': 'Finished',

  'activity.run': 'Run',
  'activity.walk': 'Walk',
  'activity.bike': 'Ride',
  'activity.hike': 'Hike',

  'tracks.search': 'Search',
  'tracks.searchIn': 'Title, person or device',
  'tracks.state': 'State',
  'tracks.activity': 'Kind',
  'tracks.all': 'All',
  'tracks.empty': 'No tracks yet',
  'tracks.noneFound': 'No track matches',
  'tracks.clear': 'Show all tracks',
  'tracks.count': '{{shown}} of {{total}} tracks loaded',
  'tracks.title': 'Title',
  'tracks.user': 'Person',
  'tracks.start': 'Start',
  'tracks.distance': 'Distance',
  'tracks.duration': 'Duration',
  'tracks.points': 'Points',
  'tracks.updated': 'Last change',
} as const
