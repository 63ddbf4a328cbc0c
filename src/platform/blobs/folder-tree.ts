import type { Dir, Dirent } from 'node:fs'
import { lstat, mkdir, open, opendir, realpath, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ifMissing } from './if-missing.ts'

/** How many folders are remembered as synced; beyond it they are synced again, which costs milliseconds. */
const MAX_REMEMBERED = 10_000

/** Folders below a root: made durably, walked and removed without following symbolic links. */
export class FolderTree {
  readonly #root: string
  readonly #synced = new Set<string>()

  /** `root` is a real path, without symbolic links. */
  constructor(root: string) {
    this.#root = root
  }

  /**
   * Makes a folder whose name, and those above it, survive a loss of power. That another is just making it is not
   * enough: only what was synced here, or before, counts.
   */
  async make(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (first === undefined && this.#synced.has(folder)) return
    if (!(await this.isPlain(folder))) throw new Error(`${folder} leads elsewhere by a symbolic link`)
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

  /** Whether a folder exists and is reached without a symbolic link. */
  async isPlain(folder: string): Promise<boolean> {
    return (await realpath(folder).catch(ifMissing(undefined))) === folder
  }

  /** Removes a folder, and those above it below the root, as far as they are empty. */
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

  /** Every file in a folder and those below, but for one folder's, and but for what is deleted meanwhile. */
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

/** Makes the names in a folder survive a loss of power. Windows has no such call, and syncs names by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
