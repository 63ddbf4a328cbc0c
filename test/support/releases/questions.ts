import { totpCode, totpStep } from '../../../src/operator/factors/one-time-codes.ts'
import { STORED_BASE_URL, type StoredRequest } from './exchange.ts'
import { FROM_PAGE, PASSWORD } from './fill-accounts.ts'
import type { Filled } from './fill-installation.ts'

type Question = [name: string, path: string]

/**
 * Endpoints left out: live streams, which do not end, frames of the present, the jobs of the process, of which
 * nothing is stored, and folders for offline reading, which hold the reader of the program.
 */
export const NOT_ASKED = [
  /\/live$/,
  /\/frames\//,
  /\/publications\/\{slug\}\/events$/,
  /^\/operator\/jobs$/,
  /\/offline$/,
]

/**
 * Returns the questions to a filled installation, in the order in which they are asked. All of them read, except for
 * the last ones, which repeat what was done before: the answer shows that the installation remembers it.
 */
export function questions(filled: Filled): StoredRequest[] {
  const { token, apiKey, session, tokens, library, race } = filled
  const asked = (headers: Record<string, string>, list: readonly Question[]) =>
    list.map(([name, path]): StoredRequest => ({ name, method: 'GET', path, headers }))
  return [
    // First: refused requests below add records.
    ...asked(session, AUDIT_QUESTIONS),
    ...asked({ 'x-api-key': token }, appQuestions(filled)),
    ...asked({ 'x-api-key': tokens.manager }, [
      ['webhooks, for a program that manages them', '/webhooks'],
      ['the log of a webhook', `/webhooks/${filled.webhookId}/deliveries`],
    ]),
    ...asked({ 'x-api-key': tokens.ofPerson }, [['the tracks of one person', '/tracks']]),
    ...asked({ 'x-api-key': tokens.brief }, [['tracks, with a token that ends tomorrow', '/tracks?limit=2']]),
    ...asked({ 'x-api-key': tokens.revoked }, [['nothing, with a revoked token', '/tracks']]),
    ...asked({ 'x-api-key': race.token }, [
      ['tracks of the other event', '/tracks'],
      ['results for a program', `/events/${race.eventId}/results`],
    ]),
    ...asked({ 'x-api-key': apiKey }, publisherQuestions(filled)),
    ...asked({ 'x-api-key': library.readKey }, [['publications, with a key that only reads', '/publications']]),
    ...asked({ 'x-api-key': library.otherKey }, [['publications, with a replaced key', '/publications']]),
    ...asked(session, operatorQuestions(filled)),
    ...asked(session, libraryQuestions(filled)),
    ...accountQuestions(filled),
    ...asked({}, readerQuestions(filled)),
    ...asked({}, spectatorQuestions(filled)),
    ...signInQuestions(filled),
    ...repetitions(filled),
  ]
}

function appQuestions({ tracks, recordings }: Filled): Question[] {
  const names = Object.entries(tracks)
  return [
    ['all tracks', '/tracks'],
    ['the first page of tracks', '/tracks?limit=3'],
    ...names.map(([name, id]): Question => [`the track ${name}`, `/tracks/${id}`]),
    ...names.map(([name, id]): Question => [`the points of ${name}`, `/tracks/${id}/points?limit=50000`]),
    ...['gpx', 'kml', 'geojson', 'csv', 'tcx'].map(
      (format): Question => [`a download as ${format}`, `/tracks/${tracks.merged}/export?format=${format}`],
    ),
    ...['osmand', 'traccar'].map(
      (app): Question => [
        `a known point, sent again as ${app} does`,
        recordings.again[0].replace('osmand?', `${app}?`),
      ],
    ),
    ['a known point, sent again as gpslogger does', recordings.asGpsLogger],
  ]
}

function publisherQuestions({ library }: Filled): Question[] {
  return [
    ['all publications', '/publications'],
    ['a publication', '/publications/guide'],
    ['a publication by its former slug', `/publications/${library.formerSlug}`],
    ['an unpublished publication', `/publications/${library.hidden}`],
    ['a deleted publication', `/publications/${library.gone}`],
    ['reader links of a document', '/publications/guide/links'],
    ['versions of a document', '/publications/guide/versions'],
    ['what a version of a document had', `/publications/guide/versions/${library.formerVersionId}/changes`],
    ['collections of a library', '/collections'],
    ['webhooks of a library', '/publications/webhooks'],
    ['the log of a webhook of a library', `/publications/webhooks/${library.webhookId}/deliveries`],
  ]
}

function operatorQuestions({ eventId, tokens, tracks, race, webhookId }: Filled): Question[] {
  const event = `/operator/events/${eventId}`
  const ofRace = `/operator/events/${race.eventId}`
  const details = Object.entries(tracks).flatMap(([name, id]): Question[] =>
    ['', '/series', '/splits', '/points'].map((part) => [
      `${name}${part}, for operators`,
      `/operator/tracks/${id}${part}`,
    ]),
  )
  return [
    ['who is signed in', '/operator/session'],
    ['operators', '/operator/operators'],
    ['sessions', '/operator/sessions'],
    ['second factors', '/operator/second-factors'],
    ['settings', '/operator/settings'],
    ['the bin', '/operator/bin'],
    ['the map', '/operator/map'],
    ['the clock of the upkeep', '/operator/upkeep'],
    ['events', '/operator/events'],
    ['an event', event],
    ['tokens of an event', `${event}/tokens`],
    ['a token of an event', `${event}/tokens/${tokens.briefId}`],
    ['participants', `${event}/participant-tokens`],
    ['tracks of an event', `${event}/tracks`],
    ['tracks of an event by distance', `${event}/tracks?sort=-distance_meters`],
    ['tracks found by a text', `${event}/tracks?q=detour`],
    ['the replay of an event', `${event}/replay`],
    ['shares of an event', `${event}/shares`],
    ['webhooks of an event', `${event}/webhooks`],
    ['the log of a webhook, for operators', `${event}/webhooks/${webhookId}/deliveries`],
    ...details,
    ['a race', `${ofRace}/race`],
    ['its rehearsal', `${ofRace}/rehearsal`],
    ['a course', `${ofRace}/course`],
    ['checkpoints', `${ofRace}/checkpoints`],
    ['a start list', `${ofRace}/runners`],
    ['participants and their phones', `${ofRace}/participants`],
    ['times of a runner', `${ofRace}/times?bib=1`],
    ['what is to be decided', `${ofRace}/decisions`],
    ['a ranking', `${ofRace}/ranking`],
    ['results', `${ofRace}/results`],
    ['all tracks of an event as an archive', `${event}/export?format=geojson`],
    ['a download, for operators', `/operator/tracks/${tracks.synced}/export?format=gpx`],
  ]
}

function libraryQuestions({ library }: Filled): Question[] {
  const workspace = `/operator/workspaces/${library.workspaceId}`
  const publication = `/operator/publications/${library.id}`
  return [
    ['workspaces', '/operator/workspaces'],
    ['a workspace', workspace],
    ['a workspace with limits', `/operator/workspaces/${library.otherId}`],
    ['the public face of a workspace', `${workspace}/face`],
    ['the DNS of a host name', `${workspace}/face/domain`],
    ['collections of a workspace', `${workspace}/collections`],
    ['the key of a workspace', `${workspace}/key`],
    ['keys of a workspace', `${workspace}/keys`],
    ['a further key', `${workspace}/keys/${library.readKeyId}`],
    ['the figures of a workspace', `${workspace}/figures?from=2026-01-01&to=2026-01-31`],
    ['the library of a workspace', `${workspace}/publications`],
    ['publications found by a text', `${workspace}/publications?q=guide`],
    ['the bin of a workspace', `${workspace}/bin`],
    ['webhooks of a workspace', `${workspace}/webhooks`],
    ['the log of a webhook of a workspace', `${workspace}/webhooks/${library.webhookId}/deliveries`],
    ['a publication, for operators', publication],
    ['reader links of a publication', `${publication}/links`],
    ['versions of a publication', `${publication}/versions`],
    ['what a version of a publication had', `${publication}/versions/${library.formerVersionId}/changes`],
    ['pages of a publication', `${publication}/pages`],
    ['an image of a page', `${publication}/pages/1/image`],
    ['reading statistics', `${publication}/figures`],
  ]
}

function readerQuestions({ library, map }: Filled): Question[] {
  return [
    ['the public page', '/p/guide'],
    ['the public page by its former slug', `/p/${library.formerSlug}`],
    ['an unpublished page', `/p/${library.hidden}`],
    ['a publication, for readers', '/publications/guide'],
    ['addresses of images', '/publications/guide/images'],
    ['a manifest', '/publications/guide/iiif/manifest.json'],
    ['an attached file', '/publications/guide/attachments/1'],
    ['a page of the text', '/publications/guide/pages/1'],
    ['hits of a search', '/publications/guide/search?q=hello'],
    ['a download of a document', '/publications/guide/download'],
    ['the address of a document', '/publications/guide/pdf'],
    ['a document, by an address signed before', library.signedPdf],
    ...library.images.map((path, at): Question => [`image ${at + 1} of a document`, path]),
    ['an embedded page', '/p/guide?embed'],
    ['oEmbed', `/oembed?url=${encodeURIComponent(`${STORED_BASE_URL}/p/guide`)}`],
    ['a map file', map.path],
  ]
}

function spectatorQuestions({ shares, tracks, race }: Filled): Question[] {
  const { event, track, revoked } = shares
  return [
    ...Object.entries(shares).map(([name, share]): Question => [`the page of a share: ${name}`, `/s/${share}`]),
    ['an embedded share', `/s/${event}?embed`],
    ['the page of a replay', `/s/${event}/replay`],
    ['a share of an event', `/shares/${event}`],
    ['a share of a track', `/shares/${track}`],
    ['a revoked share', `/shares/${revoked}`],
    ['tracks behind a share', `/shares/${event}/tracks`],
    ['a line behind a share', `/shares/${event}/tracks/${tracks.trimmed}/series`],
    ['splits behind a share', `/shares/${event}/tracks/${tracks.synced}/splits`],
    ['a replay behind a share', `/shares/${event}/replay`],
    ...['course', 'ranking', 'results'].map(
      (part): Question => [`${part} behind a share`, `/shares/${shares.race}/${part}`],
    ),
    ['the line of a winner behind a share', `/shares/${shares.race}/tracks/${race.winner}/series`],
  ]
}

/** The times of a session that begin with its sign-in. */
const SESSION_TIMES = ['expires_at', 'confirmed_until']

const AUDIT_QUESTIONS: Question[] = [
  ['the audit log', '/operator/audit'],
  ['refused records of the audit log', '/operator/audit?outcome=refused'],
  // A download is itself a record, which did not end as these did.
  ['the audit log as JSON Lines', '/operator/audit/export?format=jsonl&outcome=refused'],
  ['the audit log as CSV', '/operator/audit/export?format=csv&outcome=refused'],
]

/** What operators with other roles and other ways to sign in see, and the sign-ins that they have begun. */
function accountQuestions({ accounts, erasure, session, eventId }: Filled): StoredRequest[] {
  const { limited, withApp, withPasskey, ofProvider } = accounts
  const read = (name: string, path: string, headers: Record<string, string>): StoredRequest => {
    return { name, method: 'GET', path, headers }
  }
  const post = (name: string, path: string, body: unknown, headers: Record<string, string>): StoredRequest => {
    return { name, method: 'POST', path, body, headers }
  }
  const signIn = (name: string, path: string, body: unknown, headers: Record<string, string>): StoredRequest => {
    return { ...post(name, path, body, headers), timely: SESSION_TIMES }
  }
  // Of the next step, because that of the confirmation may be the present one, and each code counts once.
  const code = totpCode(withApp.secret, totpStep(Date.now()) + 1)
  const factor = '/operator/session/second-factor'
  return [
    read('the ways to sign in', '/operator/sign-in-methods', {}),
    read('the ways to confirm', '/operator/session/confirmation', session),
    read('the ways to confirm, with an app', '/operator/session/confirmation', withApp.session),
    read('who is signed in, with limits', '/operator/session', limited),
    read('the events of a limited viewer', '/operator/events', limited),
    read('the workspaces of a limited viewer', '/operator/workspaces', limited),
    read('operators, for a viewer', '/operator/operators', limited),
    read('an event, for a viewer', `/operator/events/${eventId}`, limited),
    read('who is signed in, through a provider', '/operator/session', ofProvider),
    read('second factors, with an app', '/operator/second-factors', withApp.session),
    read('second factors, with a passkey', '/operator/second-factors', withPasskey.session),
    read('passkeys', '/operator/passkeys', withPasskey.session),
    read('erasures', '/operator/erasures', session),
    read('the receipt of an erasure', `/operator/erasures/${erasure.id}`, session),
    post('whose receipt it is', `/operator/erasures/${erasure.id}/verify`, erasure.person, session),
    post('what is left of an erased person', '/operator/erasures/preview', erasure.person, session),
    signIn('signing in with the code of an app', factor, { code }, withApp.halfSignedIn[0]),
    signIn('signing in with a recovery code', factor, { code: withApp.recoveryCode }, withApp.halfSignedIn[1]),
    signIn(
      'signing in with a passkey',
      '/operator/session/passkey',
      withPasskey.signIn.body,
      withPasskey.signIn.session,
    ),
  ]
}

function signInQuestions({ accounts }: Filled): StoredRequest[] {
  return [
    {
      name: 'an unused sign-in link',
      method: 'POST',
      path: '/operator/sign-in-link/check',
      body: { token: accounts.unusedLink },
      headers: FROM_PAGE,
    },
    {
      name: 'signing in with a password',
      method: 'POST',
      path: '/operator/session',
      body: { name: 'operator', password: PASSWORD },
      headers: FROM_PAGE,
      timely: SESSION_TIMES,
    },
    {
      name: 'signing in with a wrong password',
      method: 'POST',
      path: '/operator/session',
      body: { name: 'operator', password: 'not the right one' },
      headers: FROM_PAGE,
    },
  ]
}

/** What clients do again after an upgrade that came between a request and its answer. */
function repetitions({ token, apiKey, tracks, library }: Filled): StoredRequest[] {
  const app = { 'x-api-key': token }
  const post = (name: string, path: string, body?: unknown, headers = {}): StoredRequest => {
    return { name, method: 'POST', path, body, headers: { ...app, ...headers } }
  }
  const read = (name: string, path: string): StoredRequest => ({ name, method: 'GET', path, headers: app })
  return [
    post('finishing a finished track', `/tracks/${tracks.merged}/finish`),
    post('a publication that was created with this key', '/publications', library.creation, {
      'x-api-key': apiKey,
      'idempotency-key': 'a stored key of a publication',
    }),
    {
      name: 'an upload with a ticket from before',
      method: 'PUT',
      path: library.uploadPath,
      body: `base64:${Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64')}`,
      headers: { 'content-type': 'application/pdf' },
    },
    post('further points of a track', `/tracks/${tracks.loose}/points`, {
      points: [{ timestamp: '2026-05-03T06:30:00Z', latitude: 48.86, longitude: 2.35 }],
    }),
    post('the same points again', `/tracks/${tracks.loose}/points`, {
      points: [{ timestamp: '2026-05-03T06:30:00Z', latitude: 48.86, longitude: 2.35 }],
    }),
    read('the points of the continued track', `/tracks/${tracks.loose}/points?limit=50000`),
  ]
}
