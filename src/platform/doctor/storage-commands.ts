import { readPassphrase } from '../backup/backup-commands.ts'
import type { Installation } from '../backup/kept-data.ts'
import { type Command, requireArgument } from '../basics/command.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { repairData } from './repair-data.ts'
import { verifyFiles } from './stored-data.ts'

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
