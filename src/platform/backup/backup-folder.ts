import { createHash, createHmac, hash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ifMissing, syncFolder } from '../blobs/folder-tree.ts'
import { BackupError, seal, sealedSize, unseal, unwrapKey, type WrappedKey, wrapNewKey } from './sealed-stream.ts'

/** A written file: the size and SHA-256 of its content, before it was sealed. */
export type WrittenFile = { size: number; sha256: string }

/** The version of the layout that this program writes, and the only one it reads. */
const FORMAT = 1
/** Marks a folder as one of backups, with its key if it is encrypted. */
const HEADER = 'backup.json'
/** Files that are being written. They get their names when they are whole. */
const DRAFTS = 'drafts'
export const SNAPSHOTS = 'snapshots'
export const BLOBS = 'blobs'
const READ_BYTES = 1_048_576

const Header = Type.Object({
  trackpress_backup: Type.Integer(),
  id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  sealed: Type.Union([
    Type.Null(),
    Type.Object({ salt: Type.String({ maxLength: 100 }), key: Type.String({ maxLength: 200 }) }),
  ]),
})

/** A folder of backups. Names are relative to it. Everything in it may have been changed by others. */
export class BackupFolder {
  readonly path: string
  readonly id: string
  /** Undefined if the backups are not encrypted. */
  readonly #key: Buffer | undefined
  /** Folders with new names, which are not synced yet. */
  readonly #unsynced = new Set<string>()

  private constructor(path: string, id: string, key: Buffer | undefined) {
    this.path = path
    this.id = id
    this.#key = key
  }

  /** Opens a folder of backups. @throws BackupError if it is none, or needs a passphrase, or another one */
  static async open(folder: string, passphrase: string | undefined): Promise<BackupFolder> {
    const path = resolve(folder)
    const header = await requireHeader(path)
    if (header.sealed === null) {
      if (passphrase === undefined) return new BackupFolder(path, header.id, undefined)
      throw new BackupError(`The backups in ${path} are not encrypted. Leave out the passphrase, or use another folder`)
    }
    if (passphrase === undefined)
      throw new BackupError(`The backups in ${path} are encrypted. Name the file of the passphrase: --passphrase-file`)
    return new BackupFolder(path, header.id, await unwrapKey(header.sealed, passphrase))
  }

  /** Opens a folder of backups, or makes one of a folder that is empty or missing. @throws BackupError */
  static async openOrCreate(folder: string, passphrase: string | undefined): Promise<BackupFolder> {
    const path = resolve(folder)
    await mkdir(path, { recursive: true, mode: 0o700 })
    if ((await readHeader(path)) === undefined) await createHeader(path, passphrase)
    return await BackupFolder.open(path, passphrase)
  }

  /** Opens a folder for its names alone, which need no passphrase. @throws BackupError if it is none */
  static async openNames(folder: string): Promise<{ folder: BackupFolder; needsPassphrase: boolean }> {
    const path = resolve(folder)
    const header = await requireHeader(path)
    return { folder: new BackupFolder(path, header.id, undefined), needsPassphrase: header.sealed !== null }
  }

  get isSealed(): boolean {
    return this.#key !== undefined
  }

  /** Returns the name of the file of a blob. It tells nothing of the key if the backups are encrypted. */
  blobName(key: string): string {
    const digest =
      this.#key === undefined ? hash('sha256', key) : createHmac('sha256', this.#key).update(key).digest('hex')
    return `${BLOBS}/${digest.slice(0, 2)}/${digest.slice(2)}`
  }

  /** Returns the size on disk of content of this size. */
  storedSize(size: number): number {
    return this.isSealed ? sealedSize(size) : size
  }

  /**
   * Writes a file, or replaces it: it is there as a whole, or not at all. It is synced, but its name is only once
   * `syncNames` has resolved. Ends the source, too, if it fails: an open file would be closed by the garbage collector,
   * which Node.js takes for an error.
   */
  async write(name: string, source: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
    try {
      return await this.#write(name, source)
    } finally {
      if (source instanceof Readable) source.destroy()
    }
  }

  async #write(name: string, source: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
    const draft = join(this.path, DRAFTS, randomUUID())
    const digest = createHash('sha256')
    let size = 0
    async function* counted() {
      for await (const bytes of source) {
        digest.update(bytes)
        size += bytes.byteLength
        yield bytes
      }
    }
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(this.#key === undefined ? counted() : seal(counted(), this.#key, name))
      await file.sync()
    } catch (error) {
      // A full disk may fail here, too, or in the removal. The first failure is the one to tell.
      await file.close().catch(() => {})
      await rm(draft, { force: true }).catch(() => {})
      throw error
    }
    await file.close()
    await this.#place(draft, join(this.path, name))
    return { size, sha256: digest.digest('hex') }
  }

  async #place(draft: string, target: string): Promise<void> {
    const folder = dirname(target)
    const first = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (first !== undefined)
      for (let made = folder; made !== this.path; made = dirname(made)) this.#unsynced.add(dirname(made))
    await rename(draft, target)
    this.#unsynced.add(folder)
  }

  /** Syncs the names of all files written so far. */
  async syncNames(): Promise<void> {
    for (const folder of this.#unsynced) await syncFolder(folder)
    this.#unsynced.clear()
  }

  /** Reads the content of a file. @throws BackupError if it is missing or, where it is encrypted, damaged */
  async *read(name: string): AsyncGenerator<Uint8Array, void, void> {
    const stream = createReadStream(join(this.path, name), { highWaterMark: READ_BYTES })
    try {
      yield* this.#key === undefined ? stream : unseal(stream, this.#key, name)
    } catch (error) {
      throw translate(error, name)
    } finally {
      stream.destroy()
    }
  }

  /** Reads a file that must be as it was written. The last bytes have come when this throws. @throws BackupError */
  async *readWritten(name: string, { size, sha256 }: WrittenFile): AsyncGenerator<Uint8Array, void, void> {
    const digest = createHash('sha256')
    let read = 0
    for await (const bytes of this.read(name)) {
      digest.update(bytes)
      read += bytes.byteLength
      // More than was written cannot become right, and may be endless.
      if (read > size) break
      yield bytes
    }
    if (read !== size)
      throw new BackupError(`${name} is damaged: it has ${read > size ? 'more' : 'fewer'} than ${size} bytes`)
    if (digest.digest('hex') !== sha256) throw new BackupError(`${name} is damaged: its SHA-256 is another one`)
  }

  /** Returns the size of a file on disk; undefined without the file. */
  async sizeOf(name: string): Promise<number | undefined> {
    const found = await stat(join(this.path, name)).catch(ifMissing(undefined))
    return found?.isFile() ? found.size : undefined
  }

  /** Lists the names in a folder, of which there may be none. */
  async list(name: string): Promise<string[]> {
    return (await readdir(join(this.path, name)).catch(ifMissing([]))).sort()
  }

  /** Removes a file or folder, durably. */
  async remove(name: string): Promise<void> {
    const path = join(this.path, name)
    await rm(path, { recursive: true, force: true })
    await syncFolder(dirname(path)).catch(ifMissing(undefined))
  }

  /** Removes the remains of a killed process. Requires the lock. */
  async removeDrafts(): Promise<void> {
    await rm(join(this.path, DRAFTS), { recursive: true, force: true })
  }

  /** Returns the path of the file that is locked while the folder is written to. */
  get lockPath(): string {
    return join(this.path, 'lock')
  }
}

/** Copies a file of a backup to a path, and syncs it. @throws BackupError if it is not as it was written */
export async function copyOut(source: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await pipeline(source, file.createWriteStream({ flush: true }))
  } finally {
    await file.close().catch(() => {})
  }
}

async function requireHeader(path: string) {
  const header = await readHeader(path)
  if (header === undefined) throw new BackupError(`${path} is no folder of backups: ${HEADER} is missing`)
  return header
}

async function readHeader(path: string): Promise<{ id: string; sealed: WrappedKey | null } | undefined> {
  const text = await readFile(join(path, HEADER), 'utf8').catch(ifMissing(undefined))
  if (text === undefined) return undefined
  const header = parseJson(text)
  if (!Value.Check(Header, header)) throw new BackupError(`${join(path, HEADER)} is damaged`)
  if (header.trackpress_backup !== FORMAT)
    throw new BackupError(`${path} has the layout ${header.trackpress_backup}, which only a newer program can read`)
  return header
}

async function createHeader(path: string, passphrase: string | undefined): Promise<void> {
  const found = (await readdir(path)).filter((name) => !name.startsWith('.') && name !== 'lost+found')
  if (found.length > 0)
    throw new BackupError(`${path} is not empty and is no folder of backups: it has ${found.slice(0, 5).join(', ')}`)
  const sealed = passphrase === undefined ? null : (await wrapNewKey(passphrase)).wrapped
  const draft = join(path, `.${HEADER}.${randomUUID()}`)
  const file = await open(draft, 'wx', 0o600)
  await file.writeFile(`${JSON.stringify({ trackpress_backup: FORMAT, id: randomUUID(), sealed })}\n`)
  await file.sync()
  await file.close()
  await rename(draft, join(path, HEADER))
  await syncFolder(path)
}

/** Parses JSON; undefined for text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function translate(error: unknown, name: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return new BackupError(`${name} is missing`)
  if (code === 'EIO') return new BackupError(`${name} cannot be read: the disk failed`)
  return error
}

/**
 * Returns the name in the folder of an earlier content of a stored file. A file that was damaged when it was copied,
 * and was repaired later, has two contents, of which each snapshot keeps its own.
 */
export function displacedName(folder: BackupFolder, key: string, sha256: string): string {
  // No key has a line break.
  return folder.blobName(`${key}\n${sha256}`)
}

/** Returns the name in the folder of the content of a stored file that a snapshot has. */
export async function storedName(folder: BackupFolder, key: string, { size, sha256 }: WrittenFile): Promise<string> {
  const displaced = displacedName(folder, key, sha256)
  return (await folder.sizeOf(displaced)) === folder.storedSize(size) ? displaced : folder.blobName(key)
}
