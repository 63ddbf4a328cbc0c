/** Maps, and the live map of an event. */
export const live = {
  'map.attribution': 'About this map',
  'map.zoomIn': 'Zoom in',
  'map.zoomOut': 'Zoom out',
  'map.wheelHelp': 'Hold Ctrl while scrolling to zoom the map',
  'map.wheelHelpMac': 'Hold ⌘ while scrolling to zoom the map',
  'map.touchHelp': 'Move the map with two fingers',
  'map.failed': 'The map cannot be shown in this browser. Everything else works.',

  'live.mapLabel': 'Map with the tracks under way',
  'live.list': 'Tracks on the map',
  'live.noPoints': 'no points yet',
  'live.opening': 'Connecting',
  'live.live': 'Live',
  'live.waiting': 'Connection lost, trying again',
  'live.closed': 'Not connected. Reload the page.',
  'live.ended': 'Ended',
  'live.empty': 'No tracks yet',
  'live.emptyHelp': 'Give the event’s token to an app. A track appears here with its first points.',
  'live.toTokens': 'To the tokens',
  'live.toTrack': 'To the page of the track',
} as const
