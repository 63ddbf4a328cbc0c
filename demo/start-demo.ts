import { publishAll } from './library/publish-all.ts'
import { type Places, preparePlaces } from './prepare-places.ts'
import { readCourse } from './race/course.ts'
import { runCourse } from './race/run-course.ts'
import { readRecording, recordingsAreThere } from './recordings/recordings.ts'
import { keepLive } from './tracks/keep-live.ts'
import { openPhone, sendFinishedTrack } from './tracks/phone.ts'
import { planRace } from './tracks/race-plan.ts'
import { readSeason } from './tracks/season.ts'

/** A server just started on an empty installation, and the outputs of the demo. */
export type DemoTarget = {
  url: string
  /** Path of the first operator's sign-in link. */
  signInPath: string
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void }
  /** Called with lines for the person at the terminal, once the demo is complete. */
  say(lines: readonly DemoLine[]): void
}

/** A name and its value, such as an address. */
export type DemoLine = readonly [name: string, value: string]

export type Demo = {
  /** Replaces the server's own link, which the demo has used up. */
  signInUrl: string
  lines: readonly DemoLine[]
  /** Stops the demo and finishes the live tracks. */
  stop(): Promise<void>
}

/** Time limit for finishing tracks when the demo stops. */
const LAST_WORDS_MS = 3000

/** @throws Error if the recordings of the demo are missing */
export function requireDemoData(): void {
  if (!recordingsAreThere())
    throw new Error('The demo needs the recordings in test/data/tracks, which are not in this copy of the project.')
}

/**
 * Fills a new installation through its API, as operators, apps and programs do: a race in progress, activities of the
 * last weeks, and a library. Slow work continues in the background until it is stopped.
 */
export async function startDemo(target: DemoTarget): Promise<Demo> {
  const { url, signInPath, log, say } = target
  const places = await preparePlaces(url, signInPath, Date.now())
  const ending = new AbortController()
  const { signal } = ending
  const watch = async (what: string, work: Promise<unknown>) => {
    await work.catch((err) => {
      if (!signal.aborted) log.error({ err }, `the demo cannot go on with ${what}`)
    })
  }
  const filled = Promise.all([fillTracks(url, places, signal), publishAll(url, places.apiKey, signal)])
  const works = [
    watch('the race', race(url, places, signal)),
    watch(
      'the library and the outings',
      filled.then(([, published]) => {
        log.info({ publications: published.length }, 'the demo is filled')
        say([['To read', published.at(-2)!.public_url]])
      }),
    ),
  ]
  return {
    signInUrl: places.signInUrl,
    lines: [
      ['Live map', places.raceUrl],
      ['For spectators', places.shareUrl],
    ],
    async stop() {
      ending.abort()
      await Promise.all(works)
    },
  }
}

async function race(url: string, { race: { token } }: Places, signal: AbortSignal): Promise<void> {
  const { points } = await readRecording('mosvatnet')
  const { arrived, ...runners } = planRace(runCourse(readCourse(), points), Date.now())
  const patience = new AbortController()
  signal.addEventListener('abort', () => setTimeout(() => patience.abort(), LAST_WORDS_MS).unref(), { once: true })
  const live = keepLive(runners, { url, token, signal, lastWords: patience.signal })
  const past = async () => {
    const phone = openPhone(url, token)
    for (const track of arrived) await sendFinishedTrack(phone, track, signal)
  }
  await Promise.all([live, past()])
}

async function fillTracks(url: string, { season: { token } }: Places, signal: AbortSignal): Promise<void> {
  const phone = openPhone(url, token)
  for await (const track of readSeason(Date.now())) await sendFinishedTrack(phone, track, signal)
}
