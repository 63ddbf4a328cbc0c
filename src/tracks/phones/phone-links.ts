/** A system that people have on their phones. */
export type PhoneSystem = 'android' | 'ios'

/** A common app that records, with its address for a token and the link by which it sets itself up. */
export type PhoneLinks = {
  name: 'traccar' | 'osmand' | 'overland' | 'owntracks' | 'gpslogger'
  title: string
  /** Systems that the app is made for. */
  systems: readonly PhoneSystem[]
  /** Text that a person enters as the address of the server. */
  address: string
  /** Link by which the app sets itself up; undefined where it has none. */
  setupLink: string | undefined
}

/** Interval at which apps record, in seconds. Short, so that passings are timed well; the app saves power by itself. */
const INTERVAL_SEC = 5

/** OwnTracks: mode HTTP, and the monitoring mode "move". */
const OWNTRACKS_HTTP = 3
const OWNTRACKS_MOVE = 2

/** Name to replace in an address that several people get. */
const NAME_TO_REPLACE = 'NAME'

/** The app fills these in, and knows its speed in m/s. */
const OSMAND_TEMPLATE = 'lat={0}&lon={1}&timestamp={2}&accuracy={3}&altitude={4}&speed_mps={5}&bearing={6}'

/**
 * Returns the apps with the addresses of a token. With `isForOne`, the token belongs to one person, and the app needs
 * no id of the device.
 */
export function phoneLinks(baseUrl: string, token: string, isForOne: boolean): PhoneLinks[] {
  const addressOf = (name: string) => `${baseUrl}/in/${token}/${name}`
  const traccar = addressOf('traccar')
  const overland = addressOf('overland')
  const owntracks = addressOf('owntracks')
  return [
    {
      name: 'traccar',
      title: 'Traccar Client',
      systems: ['android', 'ios'],
      address: traccar,
      setupLink: traccarLink(traccar),
    },
    {
      name: 'overland',
      title: 'Overland',
      systems: ['ios'],
      address: overland,
      setupLink: `overland://setup?${new URLSearchParams({ url: overland, unique_id: 'yes' })}`,
    },
    {
      name: 'owntracks',
      title: 'OwnTracks',
      systems: ['android', 'ios'],
      address: owntracks,
      setupLink: ownTracksLink(owntracks),
    },
    {
      name: 'osmand',
      title: 'OsmAnd',
      systems: ['android'],
      address: `${addressOf('osmand')}?${isForOne ? '' : `id=${NAME_TO_REPLACE}&`}${OSMAND_TEMPLATE}`,
      setupLink: undefined,
    },
    {
      name: 'gpslogger',
      title: 'GPSLogger',
      systems: ['android'],
      address: `${addressOf('gpslogger')}?%ALL`,
      setupLink: `gpslogger://properties/${addressOf('gpslogger.properties')}`,
    },
  ]
}

/** Returns the address of the page of a token's person: set-up of the apps, own track, result. */
export function runnerPageAddress(baseUrl: string, token: string): string {
  return `${baseUrl}/r/${token}`
}

function traccarLink(address: string): string {
  const settings = new URLSearchParams({
    url: address,
    accuracy: 'highest',
    distance: '0',
    interval: String(INTERVAL_SEC),
    stop_detection: 'false',
    buffer: 'true',
  })
  return `org.traccar.client://config?${settings}`
}

function ownTracksLink(address: string): string {
  const configuration = {
    _type: 'configuration',
    mode: OWNTRACKS_HTTP,
    url: address,
    auth: false,
    monitoring: OWNTRACKS_MOVE,
    locatorInterval: INTERVAL_SEC,
  }
  return `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(configuration)))}`
}
