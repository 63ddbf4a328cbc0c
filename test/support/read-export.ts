import type { ExportedTrack } from '../../src/tracks/exports/exported-track.ts'
import { columnsOf, TEST_START_MS, type TestPoint } from './track-columns.ts'

type Writer = (track: ExportedTrack) => AsyncIterable<string | Uint8Array>
type Options = Partial<Omit<ExportedTrack, 'pages'>> & { pagePoints?: number }

/** Returns the file that a format writes of these points, which come in pages of at most `pagePoints`. */
export async function readExport(
  write: Writer,
  points: readonly TestPoint[],
  { pagePoints = 1000, ...fields }: Options = {},
): Promise<Buffer> {
  const columns = columnsOf(points)
  async function* pages() {
    for (let from = 0; from < points.length; from += pagePoints) {
      yield { from, to: Math.min(points.length, from + pagePoints), unpack: () => columns }
    }
  }
  const track: ExportedTrack = {
    id: '0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77',
    title: 'Around the lake',
    activityType: 'walk',
    startMs: TEST_START_MS,
    lastPointMs: points.length === 0 ? null : columns.timeMs[points.length - 1],
    pointCount: points.length,
    pauses: [],
    totals: {},
    pages: pages(),
    ...fields,
  }
  const pieces: Uint8Array[] = []
  for await (const piece of write(track)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}
