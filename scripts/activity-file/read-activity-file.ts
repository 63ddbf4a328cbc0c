import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { ActivityFile } from './activity-file.ts'
import { isFit, readFit } from './read-fit.ts'
import { readGpx } from './read-gpx.ts'
import { readTcx } from './read-tcx.ts'

const GZIP_START = [0x1f, 0x8b]
const UTF16_START = [0xff, 0xfe]

/**
 * Reads a FIT, GPX or TCX file, which may be compressed by gzip. The content determines the format, not the name.
 * Throws an error that names the file when it is none of them or cannot be read.
 */
export async function readActivityFile(path: string): Promise<ActivityFile> {
  const bytes = await readFile(path)
  try {
    return await readActivity(startsWith(bytes, GZIP_START) ? gunzipSync(bytes) : bytes)
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

async function readActivity(bytes: Uint8Array): Promise<ActivityFile> {
  if (isFit(bytes)) return readFit(bytes)
  const document = new TextDecoder(startsWith(bytes, UTF16_START) ? 'utf-16le' : 'utf-8').decode(bytes)
  const root = /<(?:[\w-]+:)?(gpx|TrainingCenterDatabase)[\s>]/.exec(document)?.[1]
  if (root === 'gpx') return readGpx(document.trimStart())
  if (root === 'TrainingCenterDatabase') return readTcx(document.trimStart())
  throw new Error('neither a FIT, a GPX nor a TCX file')
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte)
}
