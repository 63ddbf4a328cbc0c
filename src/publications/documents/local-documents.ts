import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '#platform/blobs/blob-store.ts'

/** A document as a local file; `await using` releases it. */
type LocalDocument = {
  readonly path: string
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Documents for readers that need a path. If the blob store has no files, shared copies are made and kept for a while.
 */
export type LocalDocuments = ReturnType<typeof createLocalDocuments>

export class DocumentMissingError extends Error {
  constructor(blobKey: string) {
    super(`There is no document with the key ${blobKey}`)
    this.name = 'DocumentMissingError'
  }
}

export type LocalDocumentsOptions = {
  /**
   * Time that a copy is kept after its last use: a document is inspected, then rendered, then asked for larger pages.
   */
  idleMs?: number
  /** Limit on the total size of unused copies; the least recently used are removed first. */
  maxIdleBytes?: number
}

const DEFAULT_IDLE_MS = 10 * 60_000
const DEFAULT_MAX_IDLE_BYTES = 1_000_000_000

const FOLDER_NAME = 'trackpress-documents-'
/** Beginning of the names of folders on this host; the number of the process follows. */
const ON_THIS_HOST = `${FOLDER_NAME}${hostname()}-`
/**
 * Folders of other hosts, older than this, are left over from killed processes; a running process recreates its folder
 * if needed.
 */
const LEFTOVER_AFTER_MS = 24 * 3_600_000

export function createLocalDocuments(blobs: BlobStore, options: LocalDocumentsOptions = {}) {
  const copies = new DocumentCopies(blobs, options)
  // What stays for another reason is temporary all the same.
  void removeLeftovers().catch(() => {})
  return {
    /** @throws DocumentMissingError; UNAVAILABLE if the store cannot be used. */
    async localDocument(blobKey: string): Promise<LocalDocument> {
      const path = blobs.localPath(blobKey)
      if (path === undefined) return await copies.open(blobKey)
      if ((await blobs.head(blobKey)) === undefined) throw new DocumentMissingError(blobKey)
      return { path, [Symbol.asyncDispose]: async () => {} }
    },
    /** Returns the place of a file for something that is being made; disposing of it deletes the file. */
    scratchFile: () => copies.scratchFile(),
    /** Deletes all copies. */
    close: () => copies.close(),
  }
}

type Copy = { made: Promise<{ path: string; size: number }>; users: number; size: number; idleTimer?: NodeJS.Timeout }

/** Copies of documents in a folder of this process, the least recently used first. */
class DocumentCopies {
  readonly #blobs: BlobStore
  readonly #idleMs: number
  readonly #maxIdleBytes: number
  readonly #copies = new Map<string, Copy>()
  #folder: Promise<string> | undefined

  constructor(blobs: BlobStore, options: LocalDocumentsOptions) {
    this.#blobs = blobs
    this.#idleMs = options.idleMs ?? DEFAULT_IDLE_MS
    this.#maxIdleBytes = options.maxIdleBytes ?? DEFAULT_MAX_IDLE_BYTES
  }

  async open(blobKey: string): Promise<LocalDocument> {
    const copy = this.#copies.get(blobKey) ?? { made: this.#copy(blobKey), users: 0, size: 0 }
    this.#copies.delete(blobKey)
    this.#copies.set(blobKey, copy)
    copy.users++
    clearTimeout(copy.idleTimer)
    try {
      const { path, size } = await copy.made
      copy.size = size
      let isOpen = true
      const release = async () => {
        if (isOpen) await this.#release(blobKey, copy)
        isOpen = false
      }
      return { path, [Symbol.asyncDispose]: release }
    } catch (error) {
      if (this.#copies.get(blobKey) === copy) this.#copies.delete(blobKey)
      throw error
    }
  }

  async scratchFile(): Promise<LocalDocument> {
    const path = join(await this.#readyFolder(), randomUUID())
    return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) }
  }

  async close(): Promise<void> {
    for (const { idleTimer } of this.#copies.values()) clearTimeout(idleTimer)
    this.#copies.clear()
    const folder = await this.#folder?.catch(() => undefined)
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }

  async #readyFolder(): Promise<string> {
    this.#folder ??= makeFolder().catch((error) => {
      this.#folder = undefined
      throw error
    })
    const folder = await this.#folder
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  async #copy(blobKey: string): Promise<{ path: string; size: number }> {
    const folder = await this.#readyFolder()
    const source = await this.#blobs.read(blobKey)
    if (source === undefined) throw new DocumentMissingError(blobKey)
    const path = join(folder, `${randomUUID()}.pdf`)
    try {
      await pipeline(source, createWriteStream(path, { mode: 0o600 }))
      return { path, size: (await stat(path)).size }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  async #release(blobKey: string, copy: Copy): Promise<void> {
    copy.users--
    if (copy.users > 0 || this.#copies.get(blobKey) !== copy) return
    copy.idleTimer = setTimeout(() => void this.#remove(blobKey, copy), this.#idleMs).unref()
    let excess = -this.#maxIdleBytes
    for (const { users, size } of this.#copies.values()) if (users === 0) excess += size
    for (const [key, idle] of this.#copies) {
      if (excess <= 0) break
      if (idle.users > 0) continue
      excess -= idle.size
      await this.#remove(key, idle)
    }
  }

  async #remove(blobKey: string, copy: Copy): Promise<void> {
    clearTimeout(copy.idleTimer)
    this.#copies.delete(blobKey)
    const { path } = await copy.made
    await rm(path, { force: true })
  }
}

async function makeFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), `${ON_THIS_HOST}${process.pid}-`))
}

/** Removes the folders of processes that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER_NAME)) continue
    const path = join(tmpdir(), name)
    const changedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    )
    // The folder may belong to another user.
    if (isLeftOver(name, changedMs)) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

function isLeftOver(name: string, changedMs: number): boolean {
  const nowMs = Date.now()
  const pid = name.startsWith(ON_THIS_HOST) ? Number.parseInt(name.slice(ON_THIS_HOST.length), 10) : Number.NaN
  // In a container that starts again, the new process has the number of the old one.
  if (pid === process.pid) return changedMs < nowMs - process.uptime() * 1000
  return Number.isNaN(pid) || isRunning(pid) ? changedMs < nowMs - LEFTOVER_AFTER_MS : true
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks whether there is a process.
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
