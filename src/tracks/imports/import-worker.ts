import { hash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { XmlFileError } from '#platform/basics/walk-xml.ts'
import { type EncodedChunk, encodeParts } from '../points/chunks/chunk-codec.ts'
import { MAX_POINTS_OF_ONE_TIME } from '../points/chunks/chunk-plan.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { isFit, readFit } from './read-fit.ts'
import { readGeojson } from './read-geojson.ts'
import { readGpx, readKml, readTcx } from './read-xml.ts'
import {
  ImportFileError,
  isGzip,
  MAX_FILE_BYTES,
  MAX_TRACKS_PER_FILE,
  type RecordedTrack,
  type RecordingFormat,
  type RefusalReason,
} from './recorded-track.ts'

/** Recordings become 5 to 20 times as large; more is made to take time. Small files may: they take little of it. */
const MAX_RATIO = 40
const MIN_UNPACKED_BYTES = 4 * 1_048_576

/** A file to read. Without a format, its content tells it. */
export type ImportTask = { bytes: Uint8Array; format: RecordingFormat | undefined }

/** A track with at least one point, encoded as it is stored. */
export type ReadTrack = Omit<RecordedTrack, 'points'> & {
  pointsCount: number
  firstMs: number
  lastMs: number
  chunks: EncodedChunk[]
}

/** A file with at least one track with points. */
export type ReadFile = {
  tracks: ReadTrack[]
  /** Tracks without any point at a time. */
  leftOutTracksCount: number
  /** SHA-256 of the file, not compressed. */
  fileSha256: string
}

/** A refused file. `refusal` continues "The file …". Errors lose their class on their way between threads. */
export type FileRefusal = { refusal: string; reason: RefusalReason; isTooLarge: boolean }

/** Reads a file in a worker thread, and encodes its points. The pool calls it. */
export async function readImportedFile({ bytes, format }: ImportTask): Promise<ReadFile | FileRefusal> {
  try {
    const file = decompressed(bytes)
    const recorded = await readRecording(file, format)
    const tracks = recorded.filter(({ points }) => points.count > 0)
    if (tracks.length === 0) throw noTrack(recorded)
    if (tracks.length > MAX_TRACKS_PER_FILE)
      throw new ImportFileError('too_much', `has more than ${MAX_TRACKS_PER_FILE} tracks`)
    return {
      tracks: tracks.map(encoded),
      leftOutTracksCount: recorded.length - tracks.length,
      fileSha256: hash('sha256', file, 'hex'),
    }
  } catch (error) {
    if (error instanceof ImportFileError || error instanceof XmlFileError) return refusalOf(error)
    throw error
  }
}

function refusalOf(error: ImportFileError | XmlFileError): FileRefusal {
  return { refusal: error.message, reason: error.reason, isTooLarge: error instanceof FileTooLarge }
}

class FileTooLarge extends ImportFileError {}

/** Returns what is in a gzip file, as services pack the files of an archive; any other file as it is. */
function decompressed(bytes: Uint8Array): Uint8Array {
  if (!isGzip(bytes)) return bytes
  try {
    return gunzipSync(bytes, {
      maxOutputLength: Math.min(MAX_FILE_BYTES, bytes.length * MAX_RATIO + MIN_UNPACKED_BYTES),
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const isDense = bytes.length * MAX_RATIO + MIN_UNPACKED_BYTES < MAX_FILE_BYTES
      if (isDense)
        throw new ImportFileError('too_costly', `is more than ${MAX_RATIO} times as large when it is unpacked`)
      throw new FileTooLarge('too_much', `is larger than ${MAX_FILE_BYTES / 1_048_576} MiB when it is unpacked`)
    }
    throw new ImportFileError('damaged', 'is a damaged gzip file, or cut short')
  }
}

function noTrack(recorded: readonly RecordedTrack[]): ImportFileError {
  const leftOut = recorded.reduce((sum, { leftOutCount }) => sum + leftOutCount, 0)
  if (recorded.length === 0) return new ImportFileError('no_recording', 'has no recorded track')
  if (leftOut === 0) return new ImportFileError('no_points', 'has no points')
  const message = `has no point with a time and a valid position; ${leftOut} points have none`
  return new ImportFileError('no_points', message)
}

function encoded({ points, ...track }: RecordedTrack): ReadTrack {
  refuseOneTime(points)
  return {
    ...track,
    pointsCount: points.count,
    firstMs: points.timeMs[0],
    lastMs: points.timeMs[points.count - 1],
    chunks: encodeParts(points, 'fast'),
  }
}

/** Points of one time are stored together, so that their number has a limit. */
function refuseOneTime({ timeMs, count }: PointColumns): void {
  for (let i = MAX_POINTS_OF_ONE_TIME; i < count; i++) {
    if (timeMs[i] !== timeMs[i - MAX_POINTS_OF_ONE_TIME]) continue
    throw new ImportFileError(
      'too_much',
      `has more than ${MAX_POINTS_OF_ONE_TIME.toLocaleString('en')} points of the same time`,
    )
  }
}

const READERS: Record<RecordingFormat, (bytes: Uint8Array) => RecordedTrack[] | Promise<RecordedTrack[]>> = {
  gpx: readGpx,
  tcx: readTcx,
  fit: readFit,
  kml: readKml,
  geojson: readGeojson,
}

/** Root elements of the XML formats. */
const ROOTS: readonly (readonly [RegExp, RecordingFormat])[] = [
  [/<(?:[\w.-]+:)?gpx[\s/>]/, 'gpx'],
  [/<(?:[\w.-]+:)?TrainingCenterDatabase[\s/>]/, 'tcx'],
  [/<(?:[\w.-]+:)?kml[\s/>]/, 'kml'],
]
/** Declarations and comments precede a root element. */
const HEAD_BYTES = 4096
const ZIP_START = [0x50, 0x4b, 0x03, 0x04]

/**
 * Reads all tracks of a file. Without a format, the content tells it. @throws ImportFileError
 * @param bytes the file, not compressed
 */
async function readRecording(bytes: Uint8Array, format: RecordingFormat | undefined): Promise<RecordedTrack[]> {
  return await READERS[format ?? formatOf(bytes)](bytes)
}

/** Returns the format of a file by its content. @throws ImportFileError for any other file */
function formatOf(bytes: Uint8Array): RecordingFormat {
  if (bytes.length === 0) throw new ImportFileError('empty', 'is empty')
  if (isFit(bytes)) return 'fit'
  if (ZIP_START.every((byte, i) => bytes[i] === byte))
    throw new ImportFileError('archive', 'is a ZIP archive; send what is in it')
  // In UTF-16, every other byte of these names is zero.
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES)).replaceAll('\0', '')
  const found = ROOTS.find(([root]) => root.test(head))
  if (found !== undefined) return found[1]
  if (/^[\s\u00ef\u00bb\u00bf]*\{/.test(head)) return 'geojson'
  throw new ImportFileError('unknown_format', 'is neither GPX, TCX, FIT, KML nor GeoJSON')
}
