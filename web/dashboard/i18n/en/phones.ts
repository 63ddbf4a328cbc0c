/** Recording with the common apps. */
export const phones = {
  'phones.title': 'Record with an app you already have',
  'phones.explanation':
    'People can record with an app that they already have. Their phone appears on the live map with its first point.',
  'phones.guide': 'More about these apps',
  'phones.noToken': 'No token for phones yet',
  'phones.noTokenHelp':
    'Others may see an address or a QR code. Phones therefore need a token that can only record, ideally one for each person. The other tokens of this event can read or delete everyone’s tracks, so they are not offered here.',
  'phones.person': 'Whose phone is it?',
  'phones.personHelp': 'A name or a number. It becomes the user_id of the tracks.',
  'phones.personMissing': 'Enter a name or a number',
  'phones.createForOne': 'Create token for this person',
  'phones.createForAll': 'One token for all phones',
  'phones.allPhones': 'Phones',
  'phones.everyone': 'Everyone',
  'phones.token': 'App token',
  'phones.tokenOfAll': 'For everyone who gets the address. It can only record, and each phone must send its own id.',
  'phones.tokenOfOne':
    'For one person: {{user}}. All tracks from this phone belong to them, and it cannot see any others.',
  'phones.idTitle': 'Each phone needs a name',
  'phones.idHelp':
    'Many people can use this address. The app’s device id tells them apart, and becomes the person of the track. To give people addresses of their own, create a token for each.',
  'phones.app': 'App',
  'phones.address': 'Address for the app',
  'phones.openApp': 'Set up on this phone',
  'phones.qr': 'QR code that sets up {{app}}',
  'phones.qrLink': 'Scan it with the phone’s camera. The app opens and sets itself up.',
  'phones.qrAddress': 'Scan it with the phone’s camera, and copy the address from there.',

  'phones.traccar1': 'Install Traccar Client, and allow it to use the location at all times.',
  'phones.traccar2':
    'Scan the code, with the phone’s camera or in the app’s settings. Or enter the address there as server URL.',
  'phones.traccar3': 'Turn continuous tracking on.',
  'phones.overland1': 'Install Overland, and allow it to use the location at all times.',
  'phones.overland2': 'Scan the code. Or enter the address in the app’s settings as receiver endpoint.',
  'phones.overland3': 'Turn tracking on, with the best accuracy and a send interval of a few seconds.',
  'phones.owntracks1': 'Install OwnTracks, and allow it to use the location at all times.',
  'phones.owntracks2':
    'Scan the code, and give the phone a device id of its own under Identification. Or set the mode to HTTP and enter the address.',
  'phones.owntracks2One': 'Scan the code. Or set the mode to HTTP and enter the address.',
  'phones.owntracks3': 'Leave the encryption key empty, and choose the monitoring mode “move”.',
  'phones.osmand1': 'In OsmAnd, turn on the plugin Trip recording, and in its settings online tracking.',
  'phones.osmand2': 'Enter the address as web address, with your own name in place of NAME.',
  'phones.osmand2One': 'Enter the address as web address.',
  'phones.osmand3': 'Start recording. OsmAnd sends only while it records.',
  'phones.gpslogger1': 'Install GPSLogger, and allow it to use the location at all times.',
  'phones.gpslogger2':
    'Open this page on the phone and press “Set up on this phone”. Or turn on the custom URL under Logging details, and enter the address.',
  'phones.gpslogger3': 'Start logging.',
} as const
