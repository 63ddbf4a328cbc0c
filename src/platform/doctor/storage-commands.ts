import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { readPassphrase } from '../backup/backup-commands.ts'
import { BackupFolder } from '../backup/backup-folder.ts'
import { type Inventory, type InventoryBlob, openInventory } from '../backup/inventory.ts'
import { type DamagedRow, eachDatabase, type Installation, isTableMissing, type KeptData } from '../backup/kept-data.ts'
import { chooseSnapshot, listSnapshots, type Manifest, readManifest } from '../backup/manifest.ts'
import { readStored } from '../backup/restore-files.ts'
import { BackupError } from '../backup/sealed-stream.ts'
import { partsOf, withStoredCopy } from '../backup/stored-databases.ts'
import { type Command, requireArgument } from '../basics/command.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { createDamages, type InspectionTables } from './inspection-store.ts'
import { type BadFile, verifyFiles } from './stored-data.ts'

/** Inspects the rows of a service, with a report of its own; undefined without the service. */
type VerifyRows = (() => Promise<{ broken: readonly unknown[] }>) | undefined

/** Admin commands that look for damage in stored data, and repair it. */
export function storageCommands(installation: Installation, verifyRows: VerifyRows): Command[] {
  return [verifyCommand(installation, verifyRows), repairCommand(installation)]
}

function verifyCommand(installation: Installation, verifyRows: VerifyRows): Command {
  return {
    usage: 'storage verify',
    doc: 'Reads every stored chunk and file and reports what is missing or damaged, with exit status 1.',
    isReadOnly: true,
    async run() {
      const report = await verifyRows?.()
      const broken: { key: string; problem: string; detail: string; subject_id: string | null }[] = []
      const totals = await withBlobs(installation, (blobs) =>
        verifyFiles(installation, blobs, async ({ problem, detail, blob: { key, subjectId } }) => {
          broken.push({ key, problem, detail, subject_id: subjectId })
        }),
      )
      if (broken.length > 0 || (report?.broken.length ?? 0) > 0) process.exitCode = 1
      return { ...report, files: { ...totals, broken } }
    },
  }
}

function repairCommand(installation: Installation): Command {
  const repair: Command = {
    usage: 'storage repair <folder> [--passphrase-file <file>] [--snapshot <name>]',
    doc: 'Replaces stored files and chunks that are missing or damaged by good copies from backups, while the server runs.',
    async run(args, options) {
      const folder = requireArgument(args, 0, repair)
      const passphrase = await readPassphrase(options['passphrase-file'])
      const outcome = await withBlobs(installation, (blobs) =>
        repairData(installation, blobs, folder, { passphrase, snapshot: options.snapshot }),
      )
      if (outcome.not_repaired.length > 0) process.exitCode = 1
      return outcome
    },
  }
  return repair
}

async function withBlobs<Result>({ openBlobs }: Installation, use: (blobs: BlobStore) => Promise<Result>) {
  const blobs = await openBlobs()
  try {
    return await use(blobs)
  } finally {
    await blobs.close()
  }
}

type RepairOptions = { passphrase?: string | undefined; snapshot?: string | undefined }

/**
 * Replaces stored files and rows that are missing or damaged by good copies from a folder of backups, the newest first.
 * A copy is read and compared as a whole before it replaces the damaged one, at once; so nothing is lost if the command
 * is killed, and it can be repeated.
 * @throws BackupError; UNAVAILABLE
 */
export async function repairData(
  installation: Installation,
  blobs: BlobStore,
  path: string,
  { passphrase, snapshot }: RepairOptions,
): Promise<RepairOutcome> {
  const folder = await BackupFolder.open(path, passphrase)
  const scratch = await mkdtemp(join(tmpdir(), 'trackpress-repair-'))
  const { outcome, onRepair } = collectRepairs(installation.say)
  const snapshots: OpenSnapshot[] = []
  try {
    snapshots.push(...(await openSnapshots(folder, snapshot, scratch)))
    await repairFiles(installation, blobs, folder, snapshots, onRepair)
    await repairRows(installation, { folder, snapshots, scratch }, onRepair)
    return outcome
  } finally {
    for (const { inventory } of snapshots) inventory.close()
    await rm(scratch, { recursive: true, force: true })
    await forgetRepaired(installation, outcome.repaired)
  }
}

async function forgetRepaired(installation: Installation, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await eachDatabase(installation, async (_, { db }) => {
    const damages = createDamages(db as Kysely<InspectionTables>)
    for (const key of keys) await damages.forget(key)
  })
}

/** Replaces stored files that are missing or damaged by good copies of snapshots, and reports the outcome of each. */
async function repairFiles(
  installation: Installation,
  blobs: BlobStore,
  folder: BackupFolder,
  snapshots: readonly OpenSnapshot[],
  onRepair: OnRepair,
): Promise<void> {
  await verifyFiles(installation, blobs, async (bad) => {
    onRepair({ key: bad.blob.key, problem: bad.detail, reason: await repair(folder, snapshots, blobs, bad) })
  })
}

/** @returns the reason why the file could not be repaired; undefined if it was */
async function repair(
  folder: BackupFolder,
  snapshots: readonly OpenSnapshot[],
  blobs: BlobStore,
  { blob: { key, size, sha256 } }: BadFile,
): Promise<string | undefined> {
  let reason = 'no snapshot has a good copy of it'
  for (const { inventory } of snapshots) {
    const copy = inventory.find(key)
    if (copy === undefined || !isGood(copy, size, sha256)) continue
    try {
      // The draft is whole when this resolves: reading throws at a copy that is not as it was written.
      await using draft = await blobs.draft(await readStored(folder, copy))
      await draft.replace(key)
      return undefined
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
      reason = error.message
    }
  }
  return reason
}

function isGood(copy: InventoryBlob, size: number, sha256: string | undefined): boolean {
  return copy.state === 'stored' && copy.size === size && (sha256 === undefined || copy.sha256 === sha256)
}

type Backups = { folder: BackupFolder; snapshots: readonly OpenSnapshot[]; scratch: string }

/**
 * Replaces damaged rows, such as chunks of points, by rows of snapshots, and reports the outcome of each. Databases of
 * snapshots are unpacked in `scratch`, one after the other and only while something is damaged.
 */
async function repairRows(installation: Installation, backups: Backups, onRepair: OnRepair): Promise<void> {
  await eachDatabase(installation, async (data, { db }) => {
    const damaged = new Map((await damagedRows(data, db)).map((row) => [row.key, row]))
    const reasons: string[] = []
    for (const snapshot of backups.snapshots) {
      if (damaged.size === 0) return
      const stored = snapshot.manifest.databases.filter(({ name }) => name === data.name)
      const manifest = { ...snapshot.manifest, databases: stored }
      try {
        for (const part of partsOf(installation, backups.folder, snapshot.name, manifest))
          await withStoredCopy(part, manifest.engine, backups.scratch, async (copy) => {
            for (const { key, detail } of [...damaged.values()]) {
              if (!(await data.repairRow!(db, key, copy.db))) continue
              damaged.delete(key)
              onRepair({ key, problem: detail, reason: undefined })
            }
          })
      } catch (error) {
        // An older snapshot may be whole.
        if (!(error instanceof BackupError)) throw error
        reasons.push(error.message)
      }
    }
    for (const { key, detail } of damaged.values())
      onRepair({ key, problem: detail, reason: reasons[0] ?? 'no snapshot has a good copy of it' })
  })
}

async function damagedRows({ inspectRows, repairRow }: KeptData, db: Kysely<unknown>): Promise<DamagedRow[]> {
  if (inspectRows === undefined || repairRow === undefined) return []
  try {
    const damaged: DamagedRow[] = []
    for await (const { damage } of inspectRows(db)) if (damage !== undefined) damaged.push(damage)
    return damaged
  } catch (error) {
    if (isTableMissing(error)) return []
    throw error
  }
}

/** Receives the outcome of a repair: the reason why it failed, or undefined if it succeeded. */
type OnRepair = (result: { key: string; problem: string; reason: string | undefined }) => void

/** The outcome of a repair: repaired data, and data without a good copy in any snapshot. */
type RepairOutcome = { repaired: string[]; not_repaired: { key: string; problem: string; reason: string }[] }

/** Begins an outcome, which grows as results come, each of which is said, too. */
function collectRepairs(say: (line: string) => void): { outcome: RepairOutcome; onRepair: OnRepair } {
  const outcome: RepairOutcome = { repaired: [], not_repaired: [] }
  const onRepair: OnRepair = ({ key, problem, reason }) => {
    say(`${key}: ${reason ?? 'repaired'}`)
    if (reason === undefined) outcome.repaired.push(key)
    else outcome.not_repaired.push({ key, problem, reason })
  }
  return { outcome, onRepair }
}

/** A snapshot that data are taken from. */
type OpenSnapshot = { name: string; manifest: Manifest; inventory: Inventory }

/**
 * Opens the readable snapshots of a folder, the newest first, or the requested one.
 * @throws BackupError if there is none
 */
async function openSnapshots(
  folder: BackupFolder,
  wanted: string | undefined,
  scratch: string,
): Promise<OpenSnapshot[]> {
  const chosen = wanted === undefined ? undefined : await chooseSnapshot(folder, wanted)
  const names = (await listSnapshots(folder)).filter(({ isWhole }) => isWhole).map(({ name }) => name)
  const opened: OpenSnapshot[] = []
  for (const name of names.reverse()) {
    if (chosen !== undefined && name !== chosen) continue
    try {
      const manifest = await readManifest(folder, name)
      const inventory = await openInventory(folder, name, manifest, join(scratch, `${name}.sqlite`))
      opened.push({ name, manifest, inventory })
    } catch (error) {
      if (!(error instanceof BackupError) || chosen !== undefined) throw error
    }
  }
  if (opened.length === 0) throw new BackupError(`${folder.path} has no whole snapshot`)
  return opened
}
