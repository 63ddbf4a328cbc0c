import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { isFit } from '../../src/tracks/imports/read-fit.ts'
import type { ActivityFile } from './activity-file.ts'
import { readFit } from './read-fit.ts'
import { readGpx } from './read-gpx.ts'
import { readTcx } from './read-tcx.ts'

const GZIP_START = [0x1f, 0x8b]

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
  // In UTF-16, every other byte of these names is zero.
  const text = new TextDecoder('latin1').decode(bytes).replaceAll('\0', '')
  const root = /<(?:[\w-]+:)?(gpx|TrainingCenterDatabase)[\s>]/.exec(text)?.[1]
  if (root === 'gpx') return readGpx(bytes)
  if (root === 'TrainingCenterDatabase') return readTcx(bytes)
  throw new Error('neither a FIT, a GPX nor a TCX file')
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte)
}
