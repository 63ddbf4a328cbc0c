import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ifMissing } from '../../blobs/if-missing.ts'

/** A file of a folder in the data folder. Its key stands for its content, as that of a blob does. */
type FolderFile = { key: string; path: string; size: number }

/** Begins the keys of such files. No blob has such a key. */
const PREFIX = 'folder-files/'
const NAME = /^[^./\\\0][^/\\\0]{0,199}$/

/** Tells whether a path is that of a file directly in one of the folders, and leads nowhere else. */
export function isFolderPath(path: string, folders: readonly string[]): boolean {
  const [folder, name = '', ...deeper] = path.split('/')
  return folders.includes(folder) && deeper.length === 0 && NAME.test(name)
}

/** Lists the files directly in folders of the data folder, without hidden ones. The folders need not exist. */
export async function* folderFiles(dataDir: string, folders: readonly string[]): AsyncGenerator<FolderFile> {
  for (const folder of folders) {
    for (const name of await readdir(join(dataDir, folder)).catch(ifMissing([]))) {
      const file = NAME.test(name) ? await describe(dataDir, `${folder}/${name}`) : undefined
      if (file !== undefined) yield file
    }
  }
}

/** Reads a file that is still the one that was listed; undefined once it has changed or gone. */
export async function readFolderFile(dataDir: string, { key, path }: FolderFile): Promise<Readable | undefined> {
  if ((await describe(dataDir, path))?.key !== key) return undefined
  return createReadStream(join(dataDir, path), { highWaterMark: 1_048_576 })
}

async function describe(dataDir: string, path: string): Promise<FolderFile | undefined> {
  const found = await stat(join(dataDir, path), { bigint: true }).catch(ifMissing(undefined))
  if (!found?.isFile()) return undefined
  const text = [path, found.size, found.mtimeNs].join('\n')
  return { key: `${PREFIX}${createHash('sha256').update(text).digest('hex')}`, path, size: Number(found.size) }
}
