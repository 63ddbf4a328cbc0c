import type { Kysely } from 'kysely'
import type { Logger } from '#platform/logger.ts'
import type { Compactor } from '../computing/compactor.ts'
import type { PointsWriter } from '../storage/appends/points-writer.ts'
import type { TracksTables } from '../storage/tables.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { createFinishSilent } from './finish-silent.ts'
import { createPhoneRecorder } from './phone-recorder.ts'

/** Interval of the search for silent phones. A track is finished at most this much later than its silence says. */
const SEARCH_EVERY_MS = 60_000

type Options = {
  db: Kysely<TracksTables>
  tracks: Pick<TracksStore, 'create'>
  tracksIn(db: Kysely<TracksTables>): Pick<TracksStore, 'change'>
  points: Pick<PointsWriter, 'append'>
  compactor: Pick<Compactor, 'add'>
  logger: Logger
  phoneSilenceMs: number
  titleTimeZone: string
  now: () => number
}

/** Opens what records the points of the common apps, and the search for phones that have fallen silent. */
export function openPhones(options: Options) {
  const { compactor, logger, phoneSilenceMs: silenceMs } = options
  const silent = createFinishSilent({ ...options, silenceMs, onFinished: (trackId) => compactor.add(trackId) })
  const recorder = createPhoneRecorder({ ...options, silenceMs, finishBefore: silent.finishBefore })
  let searching = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const search = () => {
    searching = searching
      .then(() => silent.pass())
      .catch((err) => logger.warn({ err }, 'finishing the tracks of silent phones failed'))
  }

  return {
    record: recorder.record,
    /** Finishes tracks that are silent now. */
    finishSilent: silent.pass,
    /** Begins to search. */
    start(): void {
      timer = setInterval(search, SEARCH_EVERY_MS).unref()
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await searching
    },
  }
}
