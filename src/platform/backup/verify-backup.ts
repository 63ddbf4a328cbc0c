import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BackupFolder } from './backup-folder.ts'
import { type Inventory, type InventoryBlob, openInventory } from './inventory.ts'
import type { Installation } from './kept-data.ts'
import { chooseSnapshot, listSnapshots, type Manifest, readManifest, snapshotPath } from './manifest.ts'
import { isPresent, readStored, writtenOf } from './restore-files.ts'
import { BackupError } from './sealed-stream.ts'
import { partsOf, withStoredCopy } from './stored-databases.ts'

/**
 * Findings about a snapshot, which is whole if it has a manifest and no problem. `missing` files were not there when it
 * was made, which is not its fault.
 */
type VerifiedSnapshot = {
  snapshot: string
  isWhole: boolean
  files: number
  bytes: number
  missing: number
  problems: string[]
}

const MAX_PROBLEMS = 1_000

/**
 * Reads everything in a folder of backups and reports every difference from its manifest. Databases are filled into
 * temporary SQLite files, migrated to this version and checked, as a restore would fill them.
 * @throws BackupError if the folder cannot be read at all
 */
export async function verifyBackup(
  installation: Installation,
  path: string,
  { passphrase, snapshot: wanted }: { passphrase?: string | undefined; snapshot?: string | undefined },
): Promise<VerifiedSnapshot[]> {
  const folder = await BackupFolder.open(path, passphrase)
  const chosen = wanted === undefined ? undefined : await chooseSnapshot(folder, wanted)
  const snapshots = (await listSnapshots(folder)).filter(({ name }) => chosen === undefined || name === chosen)
  if (!snapshots.some(({ isWhole }) => isWhole)) throw new BackupError(`${folder.path} has no whole snapshot`)
  const scratch = await mkdtemp(join(tmpdir(), 'trackpress-verify-'))
  const checked = new CheckedFiles(folder, join(scratch, 'checked.sqlite'))
  try {
    const verified: VerifiedSnapshot[] = []
    for (const { name, isWhole } of snapshots) {
      installation.say(`Verifying ${name}`)
      const report = { snapshot: name, isWhole, files: 0, bytes: 0, missing: 0, problems: [] }
      // A backup in progress, or one that was broken off, takes nothing from the others.
      if (isWhole) await verifySnapshot(installation, { folder, checked, scratch }, report)
      verified.push({ ...report, isWhole: isWhole && report.problems.length === 0 })
    }
    return verified
  } finally {
    checked.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

type Work = { folder: BackupFolder; checked: CheckedFiles; scratch: string }
type Opened = { snapshot: string; manifest: Manifest; inventory: Inventory; problems: string[] }

async function verifySnapshot(installation: Installation, work: Work, report: VerifiedSnapshot): Promise<void> {
  const { folder, scratch } = work
  const { snapshot, problems } = report
  await note(problems, async () => {
    const manifest = await readManifest(folder, snapshot)
    const { secret } = manifest
    if (secret.file !== null)
      await note(problems, () => readAll(folder.readWritten(snapshotPath(snapshot, secret.file!.file), secret.file!)))
    await note(problems, async () => {
      const inventory = await openInventory(folder, snapshot, manifest, join(scratch, 'inventory.sqlite'))
      try {
        await verifyFiles(work, inventory, report)
        await verifyDatabases(installation, work, { snapshot, manifest, inventory, problems })
      } finally {
        inventory.close()
      }
    })
  })
  if (problems.length >= MAX_PROBLEMS) problems.push('There may be more')
}

async function verifyFiles({ checked }: Work, inventory: Inventory, report: VerifiedSnapshot): Promise<void> {
  for (const page of inventory.pages()) {
    for (const blob of page) {
      if (report.problems.length >= MAX_PROBLEMS) return
      await note(report.problems, async () => {
        if (isPresent(blob)) {
          report.files++
          report.bytes += blob.size
          await checked.check(blob)
        } else if (blob.state === 'missing') report.missing++
      })
    }
  }
}

async function verifyDatabases(
  installation: Installation,
  { folder, scratch }: Work,
  { snapshot, manifest, inventory, problems }: Opened,
): Promise<void> {
  for (const database of manifest.databases) {
    await note(problems, async () => {
      const [part] = partsOf(installation, folder, snapshot, { ...manifest, databases: [database] })
      const { name, blobs, inspectRows } = part.data
      await withStoredCopy(part, manifest.engine, scratch, async ({ db }) => {
        for await (const { damage } of inspectRows?.(db) ?? [])
          if (damage !== undefined) problems.push(`${name}: ${damage.key}: ${damage.detail}`)
        for (const named of Object.values(blobs))
          for await (const { key } of named(db))
            if (inventory.find(key) === undefined) problems.push(`${name} names ${key}, which is not in the inventory`)
      })
    })
  }
}

/** Adds the message of a failure to the problems. */
async function note(problems: string[], work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    problems.push((error as Error).message)
  }
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of source);
}

/**
 * Reads each stored file once, however many snapshots have it. Remembers them in a file, because there may be millions.
 */
class CheckedFiles {
  readonly #folder: BackupFolder
  readonly #database: DatabaseSync

  constructor(folder: BackupFolder, path: string) {
    this.#folder = folder
    this.#database = new DatabaseSync(path)
    this.#database.exec(`pragma journal_mode = off; pragma synchronous = off;
      create table checked (name text, sha256 text, problem text, primary key (name, sha256)) without rowid`)
  }

  /** @throws Error with the same message for each snapshot that has the file */
  async check(blob: InventoryBlob): Promise<void> {
    const name = this.#folder.blobName(blob.key)
    const written = writtenOf(blob)
    const find = this.#database.prepare('select problem from checked where name = ? and sha256 = ?')
    let known = find.get(name, written.sha256) as { problem: string | null } | undefined
    if (known === undefined) {
      const found: string[] = []
      await note(found, async () => readAll(await readStored(this.#folder, blob)))
      known = { problem: found[0] === undefined ? null : `${found[0]} (${blob.path ?? blob.key})` }
      this.#database.prepare('insert into checked values (?, ?, ?)').run(name, written.sha256, known.problem)
    }
    if (known.problem !== null) throw new BackupError(known.problem)
  }

  close(): void {
    this.#database.close()
  }
}
