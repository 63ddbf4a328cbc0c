import { type Finding, findingsOf } from '#platform/doctor/finding.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { readChunkHeader } from '../chunks/chunk-codec.ts'
import { ChunkDamagedError } from '../chunks/chunk-damaged-error.ts'

const { ok, warning, error } = findingsOf('points')

/** Time for reading chunks, within that of a part. A disk reads some gigabytes meanwhile. */
const READ_WITHIN_MS = 20_000
/** Damaged chunks that are named. `storage verify` names all. */
const MAX_NAMED = 5

/** A chunk as it is stored. */
type StoredChunk = { track_id: string; first_ms: number; bytes: Uint8Array }

/** Compares the checksum of each chunk of points, as many as there is time for. */
export async function checkChunks(chunks: AsyncIterable<StoredChunk> | Iterable<StoredChunk>): Promise<Finding[]> {
  const untilMs = performance.now() + READ_WITHIN_MS
  let count = 0
  let isCutShort = false
  const damaged: string[] = []
  for await (const { track_id, first_ms, bytes } of chunks) {
    if (performance.now() > untilMs) {
      isCutShort = true
      break
    }
    count++
    const problem = damageOf(bytes)
    if (problem === undefined) continue
    damaged.push(`track ${track_id} from ${formatDateTime(Number(first_ms))} (${problem})`)
  }
  if (damaged.length > 0) return [damageFinding(damaged)]
  if (!isCutShort) return [ok('chunks', `${count} read, none damaged.`)]
  return [warning('chunks', `${count} read in time, none damaged.`, 'Run storage verify, which reads all of them.')]
}

function damageFinding(damaged: readonly string[]): Finding {
  const named = damaged.slice(0, MAX_NAMED).join('; ')
  const more = damaged.length > MAX_NAMED ? `; and ${damaged.length - MAX_NAMED} more` : ''
  return error(
    'chunks',
    `${damaged.length} damaged: ${named}${more}.`,
    'Run storage verify for the whole list, look for a failing disk, and then run storage repair with the folder of backups.',
  )
}

function damageOf(bytes: Uint8Array): string | undefined {
  try {
    readChunkHeader(bytes)
    return undefined
  } catch (cause) {
    if (cause instanceof ChunkDamagedError) return cause.reason
    throw cause
  }
}
