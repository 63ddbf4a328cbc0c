import { readFile } from 'node:fs/promises'
import { type Command, requireArgument, UsageError } from '../basics/command.ts'
import { BackupFolder } from './backup-folder.ts'
import { type CreatedBackup, createBackup } from './create-backup.ts'
import type { Installation } from './kept-data.ts'
import { listSnapshots, type Manifest, readManifest, requireFiles } from './manifest.ts'
import { type RestoredBackup, restoreBackup } from './restore-backup.ts'
import { BackupError } from './sealed-stream.ts'
import { requireFinishedRestore } from './unfinished-restore.ts'
import { verifyBackup } from './verify-backup.ts'

/** Notes the time of a backup in the installation. */
type NoteBackup = (installation: Installation) => Promise<void>

/** Admin commands that back up and restore an installation. None of them migrates a database that is in use. */
export function backupCommands(installation: Installation, noteBackup: NoteBackup): Command[] {
  return [
    createCommand(installation, noteBackup),
    listCommand(),
    verifyCommand(installation),
    restoreCommand(installation),
  ]
}

function createCommand(installation: Installation, noteBackup: NoteBackup): Command {
  const create: Command = {
    usage: 'backup create <folder> [--passphrase-file <file>] [--keep 14] [--secret include]',
    doc: 'Backs up everything into a folder, while the server runs.',
    async run(args, options) {
      requireFinishedRestore(installation.dataDir)
      const created = await createBackup(installation, requireArgument(args, 0, create), {
        passphrase: await readPassphrase(options['passphrase-file']),
        includesSecret: requireWord(options.secret, 'include', create),
        keep: options.keep === undefined ? undefined : readKeep(options.keep),
      })
      await noteBackup(installation)
      // A nightly job has to notice that files are gone.
      if (created.missing.length > 0 || created.damaged.length > 0) process.exitCode = 1
      return createdJson(created)
    },
  }
  return create
}

function listCommand(): Command {
  const list: Command = {
    usage: 'backup list <folder> [--passphrase-file <file>]',
    isReadOnly: true,
    doc: 'Lists the backups in a folder, oldest first.',
    async run(args, options) {
      const passphrase = await readPassphrase(options['passphrase-file'])
      const snapshots = await listBackups(requireArgument(args, 0, list), passphrase)
      return snapshots.map(({ name, isWhole, manifest, problem }) => ({
        snapshot: name,
        is_whole: isWhole,
        ...(problem === undefined ? {} : { problem }),
        ...(manifest === undefined ? {} : manifestJson(manifest)),
      }))
    },
  }
  return list
}

function verifyCommand(installation: Installation): Command {
  const verify: Command = {
    usage: 'backup verify <folder> [--passphrase-file <file>] [--snapshot <name>]',
    isReadOnly: true,
    doc: 'Reads and checks everything in the backups, and reports damage, with exit status 1.',
    async run(args, options) {
      const verified = await verifyBackup(installation, requireArgument(args, 0, verify), {
        passphrase: await readPassphrase(options['passphrase-file']),
        snapshot: options.snapshot,
      })
      if (verified.some(({ problems }) => problems.length > 0)) process.exitCode = 1
      return verified.map(({ isWhole, ...report }) => ({ ...report, is_whole: isWhole }))
    },
  }
  return verify
}

function restoreCommand(installation: Installation): Command {
  const restore: Command = {
    usage: 'backup restore <folder> [--passphrase-file <file>] [--snapshot <name>] [--secret new]',
    // A record would be in the installation that has to be empty. The log comes from the backup.
    isReadOnly: true,
    doc: 'Restores a backup into an empty installation, on either engine.',
    async run(args, options) {
      const restored = await restoreBackup(installation, requireArgument(args, 0, restore), {
        passphrase: await readPassphrase(options['passphrase-file']),
        snapshot: options.snapshot,
        hasNewSecret: requireWord(options.secret, 'new', restore),
      })
      return restoredJson(restored)
    },
  }
  return restore
}

function readKeep(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--keep must be a number of backups, at least 1')
  return Number(text)
}

/** Tells whether an option was given, which takes one word only. */
function requireWord(given: string | undefined, word: string, { usage }: { usage: string }): boolean {
  if (given !== undefined && given !== word) throw new UsageError(`Usage: admin ${usage}`)
  return given === word
}

function manifestJson({ program, engine, started_at, finished_at, databases, blobs, secret }: Manifest) {
  const rows = databases.map(({ name, tables }) => [name, tables.reduce((sum, table) => sum + table.rows, 0)])
  return {
    program,
    engine,
    started_at,
    finished_at,
    rows: Object.fromEntries(rows),
    files: blobs,
    has_secret: secret.file !== null,
  }
}

function createdJson({ snapshot, manifest, copied, missing, damaged, pruned }: CreatedBackup) {
  return {
    snapshot,
    ...manifestJson(manifest),
    copied_files: copied,
    missing_files: missing,
    damaged_files: damaged,
    removed_snapshots: pruned?.snapshots ?? [],
  }
}

function restoredJson({ snapshot, manifest, isSecretRestored }: RestoredBackup) {
  const { missing, damaged, deleted } = manifest.blobs
  return {
    snapshot,
    ...manifestJson(manifest),
    is_secret_restored: isSecretRestored,
    next: [
      'Start the server. Operators sign in again, with the passwords that they had.',
      `Changes since ${manifest.started_at} are lost. Revoke again the tokens, keys, shares and operators that were ended since then.`,
      'Webhooks send the messages that were due at that time, some of them a second time.',
      ...(missing + damaged + deleted === 0
        ? []
        : [
            `Of the stored files, ${missing} were missing, ${damaged} damaged and ${deleted} being deleted when the backup was made. ` +
              'Page images among them are made again when they are asked for.',
          ]),
    ],
  }
}

/** A snapshot in a folder. Without the passphrase of an encrypted folder, only its name is known. */
type ListedSnapshot = {
  name: string
  /** Null if it cannot be told without the passphrase. */
  isWhole: boolean | null
  manifest: Manifest | undefined
  problem: string | undefined
}

/** Lists the snapshots of a folder, the oldest first. @throws BackupError if it is no folder of backups */
export async function listBackups(path: string, passphrase: string | undefined): Promise<ListedSnapshot[]> {
  const names = await BackupFolder.openNames(path)
  const isReadable = passphrase !== undefined || !names.needsPassphrase
  const folder = isReadable ? await BackupFolder.open(path, passphrase) : names.folder
  const listed: ListedSnapshot[] = []
  for (const { name, isWhole } of await listSnapshots(folder)) {
    if (isWhole && isReadable) listed.push(await describe(folder, name))
    else listed.push({ name, isWhole: isWhole ? null : false, manifest: undefined, problem: undefined })
  }
  return listed
}

/** Reads the manifest of a snapshot, and compares the sizes of its own files, but not of stored files. */
async function describe(folder: BackupFolder, name: string): Promise<ListedSnapshot> {
  let manifest: Manifest | undefined
  try {
    manifest = await readManifest(folder, name)
    await requireFiles(folder, name, manifest)
    return { name, isWhole: true, manifest, problem: undefined }
  } catch (error) {
    return { name, isWhole: false, manifest, problem: (error as Error).message }
  }
}

/** Long, because anyone with the folder can try passphrases without a limit. */
const MIN_PASSPHRASE_LENGTH = 16

/**
 * Reads a passphrase from a file with one line; undefined without a file.
 * @throws BackupError
 */
export async function readPassphrase(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new BackupError(`The passphrase cannot be read: ${(cause as Error).message}`, { cause })
  })
  const passphrase = text.replace(/\r?\n$/, '')
  if (passphrase.length < MIN_PASSPHRASE_LENGTH || passphrase.includes('\n'))
    throw new BackupError(`${path} must have one line, a passphrase of at least ${MIN_PASSPHRASE_LENGTH} characters`)
  return passphrase
}
