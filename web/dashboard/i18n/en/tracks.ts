/** The list of tracks. */
export const tracks = {
  'state.running': 'In progress',
  'state.paused': 'Paused',
  'state.stopped': 'Finished',

  'activity.run': 'Run',
  'activity.walk': 'Walk',
  'activity.bike': 'Ride',
  'activity.hike': 'Hike',

  'tracks.searchIn': 'Title, person or device',
  'tracks.activity': 'Activity',
  'tracks.noneFound': 'No matching tracks',
  'tracks.count': '{{shown}} of {{total}} tracks loaded',
  'tracks.downloadAll': 'Download all',
  'tracks.downloadAllHelp': 'All tracks of the event in a ZIP archive, with a file for each',
  'tracks.user': 'Person',
  'tracks.start': 'Start',
  'tracks.distance': 'Distance',
  'tracks.duration': 'Duration',
  'tracks.rate': 'Average',
  'tracks.points': 'Points',
} as const
