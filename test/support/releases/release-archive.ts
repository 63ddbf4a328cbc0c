import { createWriteStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { ZipFile } from 'yazl'
import { readZipBytes } from '../read-zip.ts'
import type { Exchange } from './exchange.ts'

/** Folder of the stored installations: `<version>/<engine>.zip`. */
export const RELEASES = fileURLToPath(new URL('../../data/releases', import.meta.url))

/** Engines of which a release has an installation. */
export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

/** An installation of a released version, and everything that it answered. */
export type ReleaseArchive = {
  /** Settings that the answers depend on. */
  settings: Record<string, string>
  /** Time at which the first question was asked. Sessions, links and signed addresses are valid then. */
  askedAtMs: number
  exchanges: readonly Exchange[]
}

const ABOUT = 'installation.json'
const DUMP = 'database.sql'
/** Files of an archive have the same time, so that equal content gives equal bytes. */
const MTIME = new Date('2026-01-01T00:00:00Z')

/** Lists the versions that are stored, oldest first. */
export function storedVersions(): string[] {
  const numbers = (version: string) =>
    version
      .split('.')
      .map((part) => part.padStart(6, '0'))
      .join()
  return readdirSync(RELEASES)
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .sort((a, b) => (numbers(a) < numbers(b) ? -1 : 1))
}

/** Packs a data folder with the dump of its database, if it has one. */
export async function packRelease(file: string, dataDir: string, about: ReleaseArchive, dump?: string): Promise<void> {
  const zip = new ZipFile()
  const add = (bytes: Buffer, name: string) => zip.addBuffer(bytes, name, { mtime: MTIME, compressionLevel: 9 })
  for (const path of filesBelow(dataDir)) add(readFileSync(path), `data/${relative(dataDir, path)}`)
  if (dump !== undefined) add(Buffer.from(dump), DUMP)
  add(Buffer.from(JSON.stringify(about, undefined, 1)), ABOUT)
  zip.end()
  mkdirSync(dirname(file), { recursive: true })
  await pipeline(zip.outputStream, createWriteStream(file))
}

/** Unpacks a stored installation into an empty data folder. `dump` is the content of its PostgreSQL database. */
export async function unpackRelease(
  version: string,
  engine: Engine,
  dataDir: string,
): Promise<ReleaseArchive & { dump: string | undefined }> {
  const files = await readZipBytes(readFileSync(join(RELEASES, version, `${engine}.zip`)))
  for (const [name, bytes] of files) {
    if (!name.startsWith('data/')) continue
    const path = join(dataDir, name.slice('data/'.length))
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, bytes, { mode: 0o600 })
  }
  const about = JSON.parse(String(files.get(ABOUT))) as ReleaseArchive
  return { ...about, dump: files.get(DUMP)?.toString() }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
