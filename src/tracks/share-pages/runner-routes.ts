import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { isValidAt, openToken } from '#platform/credentials/token.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { answerAsPages } from '#platform/http/unknown-routes.ts'
import { appTrackDoor, requireAppToken } from '../api/doors.ts'
import { sharedTrack } from '../api/track-json.ts'
import { exportTrack } from '../exports/routes.ts'
import { DEFAULT_NO_SIGNAL_AFTER_SEC, isForPhones } from '../model/event-rules.ts'
import { runnerName } from '../model/runner-names.ts'
import type { TrackRow } from '../model/tables.ts'
import { type PhoneSystem, phoneLinks, runnerPageAddress } from '../phones/phone-links.ts'
import { readTails } from '../points/storage/track-changes.ts'
import type { RankingEntry } from '../race/result-schemas.ts'
import { shownUntil } from '../shares/spectator-delay.ts'
import { messagePage } from './routes.ts'
import { headersOf, type RunnerErasureDeps, runnerErasure } from './runner-erasure.ts'
import { type PageRunner, runnerPageHtml } from './runner-page.ts'
import { createFormats, TEXTS } from './texts.ts'

type PageDeps = RunnerErasureDeps & Parameters<typeof exportTrack>[2]

/** Tracks of a person on their page. */
const MAX_TRACKS = 5
/** Age of the ranking from which a runner's own line is read: many phones ask at the same time. */
const MAX_RANKING_AGE_MS = 1000
/** Time before the last point in which a phone told its charge. */
const CHARGE_MS = 10 * 60_000

const PageQuery = Type.Object({ lang: Type.Optional(Type.Unknown()) })
const PageParams = Type.Object({ token: Type.String() })

/**
 * Registers the pages of codes, `/r/<token>`. A code is the token of a participant, or one of the event that phones may
 * carry: the page has the rights of the token, and ends with it.
 */
export async function runnerPages(app: HttpServer, deps: PageDeps): Promise<void> {
  answerAsPages(app, '/r/', async (status, request) => {
    const nonce = randomBytes(16).toString('base64')
    const { lang } = (request.query ?? {}) as { lang?: unknown }
    const language = TEXTS.languageFor(request.headers['accept-language'], lang)
    return { headers: headersOf(nonce), page: messagePage({ status, language, nonce, requestId: request.id }) }
  })
  requireAppToken(app, deps, 'runner pages')
  app.get(
    '/r/:token',
    { schema: { hide: true, permission: 'record', params: PageParams, querystring: PageQuery } },
    async (request, reply) => await sendPage(deps, request, reply),
  )
  runnerErasure(app, deps)
  const door = appTrackDoor(deps)
  exportTrack(app, { ...door, path: '/r/:token/tracks/:id', schema: { ...door.schema, ...HIDDEN } }, deps)
}

const HIDDEN = { hide: true }

type PageRequest = FastifyRequest & { params: { token: string }; query: { lang?: unknown } }

async function sendPage(deps: PageDeps, request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { appToken, params, query, headers } = request
  const { eventId, userId, permissions } = appToken
  if (!isForPhones({ permissions, user_id: userId })) throw notFound()
  const event = await deps.events.get(eventId)
  const language = TEXTS.languageFor(headers['accept-language'], query.lang)
  const t = TEXTS.of(language)
  const formats = createFormats(language, event.time_zone ?? deps.titleTimeZone)
  const nonce = randomBytes(16).toString('base64')
  const runner = userId === null ? undefined : await readRunner(deps, request, event.spectator_delay_sec)
  const follow = await sharedAddress(deps, eventId)
  return reply.headers(headersOf(nonce)).send(
    runnerPageHtml({
      language,
      chosenLanguage: query.lang === language ? language : undefined,
      t,
      formats,
      nonce,
      nowMs: deps.now(),
      erasedMs: userId === null ? undefined : await deps.erasures.requestedFor(userId, eventId),
      address: runnerPageAddress('', encodeURIComponent(params.token)),
      eventName: event.name,
      days: formats.days(event.starts_on, event.ends_on),
      noSignalAfterSec: event.no_signal_after_sec ?? DEFAULT_NO_SIGNAL_AFTER_SEC,
      apps: phoneLinks(deps.baseUrl(), params.token, userId !== null),
      system: systemOf(headers['user-agent']),
      runner,
      followAddress: follow === undefined ? undefined : follow + linkOf(runner),
    }),
  )
}

/** Reads the server's data about the person of a token, and of nobody else. */
async function readRunner(
  deps: PageDeps,
  { appToken, tokenHash, params }: PageRequest,
  delaySec: number | null,
): Promise<PageRunner> {
  const { eventId, permissions } = appToken
  const userId = appToken.userId!
  const listed = await deps.races.findRunner(eventId, userId)
  const name = listed === undefined ? ((await deps.eventTokens.labelOf(tokenHash)) ?? userId) : runnerName(listed)
  const mayRead = permissions.includes('read')
  const tracks = mayRead ? await deps.tracks.list(appToken, {}, undefined, MAX_TRACKS) : []
  deps.refreshStatistics(tracks)
  const [newest] = tracks
  return {
    name,
    tracks: tracks.map(sharedTrack),
    lastPointMs: newest?.last_point_ms ?? undefined,
    batteryPercent: newest === undefined ? undefined : await readCharge(deps, newest),
    entry: mayRead ? await ownEntry(deps, eventId, delaySec, { bib: listed?.bib, tracks }) : undefined,
    fileOf: (id) => `${runnerPageAddress('', encodeURIComponent(params.token))}/tracks/${id}/export?format=gpx`,
  }
}

/** Returns the charge that the phone told last, in percent; undefined if it told none lately. */
async function readCharge({ db }: PageDeps, { id, last_point_ms }: TrackRow): Promise<number | undefined> {
  if (last_point_ms === null) return undefined
  const tails = await readTails(db, [{ trackId: id, afterMs: last_point_ms - CHARGE_MS }])
  const charge = tails.get(id)?.battery.findLast((level) => level >= 0)
  return charge === undefined ? undefined : Math.round(charge * 100)
}

/** Returns the person's line of the ranking, as spectators know it by now; undefined without a course. */
async function ownEntry(
  { races, raceBoards, now }: PageDeps,
  eventId: string,
  delaySec: number | null,
  { bib, tracks }: { bib: string | undefined; tracks: readonly TrackRow[] },
): Promise<RankingEntry | undefined> {
  if ((await races.findSummary(eventId)).course_length_m === null) return undefined
  const options = { untilMs: shownUntil(delaySec, now()), maxAgeMs: MAX_RANKING_AGE_MS }
  const { entries } = await raceBoards.ranking(eventId, options)
  const ids = new Set(tracks.map(({ id }) => id))
  return entries.find((entry) =>
    bib === undefined ? entry.track_id !== null && ids.has(entry.track_id) : entry.bib === bib,
  )
}

/** Returns the path of the newest link that shows the whole event; undefined without one. */
async function sharedAddress({ shares, tokenKeys, now }: PageDeps, eventId: string): Promise<string | undefined> {
  const valid = (await shares.list(eventId)).filter(
    (share) => share.track_id === null && share.revoked_at === null && isValidAt(share, now()),
  )
  const [token] = valid.flatMap(({ sealed }) => openToken(sealed, tokenKeys) ?? [])
  return token === undefined ? undefined : `/s/${encodeURIComponent(token)}`
}

/** Returns the fragment that leads to the person on the spectators' page. */
function linkOf(runner: PageRunner | undefined): string {
  const [track] = runner?.tracks ?? []
  return track === undefined ? '' : `#runner-${track.id}`
}

/** Returns the system of a phone by its browser (RFC 9110, 10.1.5); undefined for computers. */
function systemOf(userAgent = ''): PhoneSystem | undefined {
  if (userAgent.includes('Android')) return 'android'
  return /iPhone|iPad|iPod/.test(userAgent) ? 'ios' : undefined
}
