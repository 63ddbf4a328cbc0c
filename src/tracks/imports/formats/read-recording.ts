import { ImportFileError, type RecordedTrack } from '../recordings/recorded-track.ts'
import { isFit } from './check-fit.ts'
import { readFit } from './read-fit.ts'
import { readGeojson } from './read-geojson.ts'
import { readGpx } from './read-gpx.ts'
import { readKml } from './read-kml.ts'
import { readTcx } from './read-tcx.ts'
import type { RecordingFormat } from './recording-types.ts'

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
export async function readRecording(bytes: Uint8Array, format: RecordingFormat | undefined): Promise<RecordedTrack[]> {
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
