import type { AppToken } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'

/** An app that people have already: its address, and how to set it up. */
export type PhoneApp = {
  name: 'traccar' | 'osmand' | 'overland' | 'owntracks' | 'gpslogger'
  title: string
  /** Systems that the app is made for. */
  systems: string
  /** Text that a person enters as the address of the server. */
  address: string
  /** Link by which the app sets itself up; undefined where it has none. */
  setupLink: string | undefined
  /** Content of the QR code: the link where a camera or the app opens it, otherwise the address to paste. */
  qrText: string
  steps: readonly Key[]
}

/** Interval at which apps record, in seconds. Short, so that passings are timed well; the app saves power by itself. */
const INTERVAL_SEC = 5

/** OwnTracks: mode HTTP, and the monitoring mode "move". */
const OWNTRACKS_HTTP = 3
const OWNTRACKS_MOVE = 2

/** Name to replace in an address that several people get. */
const NAME_TO_REPLACE = 'NAME'

/**
 * Returns the apps with the addresses of a token. With `isForOne`, the token belongs to one
 * person, and the app needs no id of the device.
 */
export function phoneApps(baseUrl: string, token: string, isForOne: boolean): PhoneApp[] {
  const addressOf = (name: string) => `${baseUrl}/in/${token}/${name}`
  const traccar = addressOf('traccar')
  const overland = addressOf('overland')
  const owntracks = addressOf('owntracks')
  const osmand = `${addressOf('osmand')}?${isForOne ? '' : `id=${NAME_TO_REPLACE}&`}${OSMAND_TEMPLATE}`
  const gpslogger = `${addressOf('gpslogger')}?%ALL`
  return [
    {
      name: 'traccar',
      title: 'Traccar Client',
      systems: 'Android, iOS',
      address: traccar,
      ...setUpBy(traccarLink(traccar)),
      steps: ['phones.traccar1', 'phones.traccar2', 'phones.traccar3'],
    },
    {
      name: 'overland',
      title: 'Overland',
      systems: 'iOS',
      address: overland,
      ...setUpBy(overlandLink(overland)),
      steps: ['phones.overland1', 'phones.overland2', 'phones.overland3'],
    },
    {
      name: 'owntracks',
      title: 'OwnTracks',
      systems: 'Android, iOS',
      address: owntracks,
      ...setUpBy(ownTracksLink(owntracks)),
      steps: ['phones.owntracks1', isForOne ? 'phones.owntracks2One' : 'phones.owntracks2', 'phones.owntracks3'],
    },
    {
      name: 'osmand',
      title: 'OsmAnd',
      systems: 'Android',
      address: osmand,
      setupLink: undefined,
      qrText: osmand,
      steps: ['phones.osmand1', isForOne ? 'phones.osmand2One' : 'phones.osmand2', 'phones.osmand3'],
    },
    {
      name: 'gpslogger',
      title: 'GPSLogger',
      systems: 'Android',
      address: gpslogger,
      setupLink: `gpslogger://properties/${addressOf('gpslogger.properties')}`,
      // The app takes its link from a page in a browser only.
      qrText: gpslogger,
      steps: ['phones.gpslogger1', 'phones.gpslogger2', 'phones.gpslogger3'],
    },
  ]
}

/** The app fills these in, and knows its speed in m/s. */
const OSMAND_TEMPLATE = 'lat={0}&lon={1}&timestamp={2}&accuracy={3}&altitude={4}&speed_mps={5}&bearing={6}'

function setUpBy(link: string): { setupLink: string; qrText: string } {
  return { setupLink: link, qrText: link }
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

function overlandLink(address: string): string {
  return `overland://setup?${new URLSearchParams({ url: address, unique_id: 'yes' })}`
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

/**
 * Checks whether a token may be in an address or a code for a phone, which proxies log and people pass on: it records,
 * and reads no tracks but those of its own person.
 */
export function isForPhones({ permissions, user_id }: AppToken): boolean {
  return (
    permissions.includes('record') &&
    !permissions.includes('manage') &&
    (user_id !== null || !permissions.includes('read'))
  )
}

/**
 * Returns the tokens for phones: those of one person first, because nobody can record in another's name with them, and
 * of each kind those that only record.
 */
export function phoneTokens(tokens: readonly AppToken[]): AppToken[] {
  return tokens.filter(isForPhones).sort((a, b) => rank(a) - rank(b))
}

function rank({ permissions, user_id }: AppToken): number {
  return (user_id === null ? 2 : 0) + (permissions.includes('read') ? 1 : 0)
}
