import type { Dir, Dirent } from 'node:fs'
import { lstat, mkdir, open, opendir, realpath, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Maximum number of folders remembered as synced. Others are synced again, which takes milliseconds. */
const MAX_REMEMBERED = 10_000

/** Folders below a root, created durably, walked and removed without following symbolic links. */
export class FolderTree {
  readonly #root: string
  readonly #synced = new Set<string>()

  /** `root` is a real path, without symbolic links. */
  constructor(root: string) {
    this.#root = root
  }

  /**
   * Creates a folder that survives a loss of power, with its parents. A folder that another process is just creating is
   * synced again, because only a finished sync counts.
   */
  async make(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (first === undefined && this.#synced.has(folder)) return
    if (!(await this.isPlain(folder))) throw new Error(`${folder} is reached through a symbolic link`)
    const names: string[] = []
    for (let name = folder; name !== this.#root; name = dirname(name)) {
      const isNew = first !== undefined && name.length >= first.length
      if (!isNew && this.#synced.has(name)) break
      await syncFolder(dirname(name))
      names.push(name)
    }
    if (this.#synced.size >= MAX_REMEMBERED) this.#synced.clear()
    for (const name of names) this.#synced.add(name)
  }

  /** Tells whether a folder exists and is reached without a symbolic link. */
  async isPlain(folder: string): Promise<boolean> {
    return (await realpath(folder).catch(ifMissing(undefined))) === folder
  }

  /** Removes a folder and its parents below the root, as far as they are empty. */
  async removeEmpty(folder: string): Promise<void> {
    for (let empty = folder; empty !== this.#root; empty = dirname(empty)) {
      this.#synced.delete(empty)
      try {
        await rmdir(empty)
      } catch {
        return
      }
    }
  }

  /** Lists every file in a folder and its subfolders, except in one folder. Skips files that are deleted meanwhile. */
  async *filesIn(folder: string, except: string): AsyncGenerator<{ path: string; size: number; modifiedMs: number }> {
    if (!(await this.isPlain(folder))) return
    for await (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && entry.name !== except) yield* this.filesIn(path, except)
      const found = entry.isFile() ? await lstat(path).catch(ifMissing(undefined)) : undefined
      if (found !== undefined) yield { path, size: found.size, modifiedMs: found.mtimeMs }
    }
  }
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const opened: Dir | undefined = await opendir(folder, { bufferSize: 256 }).catch(ifMissing(undefined))
  if (opened !== undefined) yield* opened
}

/** Syncs the names in a folder. Windows has no such call and syncs names automatically. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Codes for a missing file, a parent that is not a folder, and a symbolic link that is not followed. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** Makes a handler for `catch` that returns this for a missing file and rethrows any other error. */
export function ifMissing<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    if (MISSING.has((error as NodeJS.ErrnoException).code ?? '')) return fallback
    throw error
  }
}
