import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { fileSize } from '../basics/text.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warning, error } = findingsOf('disk')

/** File systems whose locks or fsync differ from a disk's, by the number that statfs gives (linux/magic.h). */
const NETWORKS: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB',
  1702057286: 'FUSE',
  16914839: '9p',
  12805120: 'Ceph',
  1397113167: 'AFS',
}
/** File systems whose content is gone with the machine or the container. */
const FLEETING: Record<number, string> = { 16914836: 'tmpfs, in memory', 2035054128: 'overlayfs, in a container' }

const ROOM_WARNING_BYTES = 2_000_000_000
const ROOM_ERROR_BYTES = 200_000_000
const LEAST_FREE_FILES = 10_000

/**
 * A commit waits for one sync. Disks with flash take 0.1 to 5 ms, others some 10 ms; slower ones limit the
 * installation.
 */
const SLOW_SYNC_MS = 30
const SYNCS = 15
const SYNCED_BYTES = 16_384

/** Checks the data folder: permissions, room, its file system, and the time of a synced write. Leaves nothing. */
export async function checkFolder(dataDir: string, isSqlite: boolean): Promise<Finding[]> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const syncMs = await measureSyncs(dataDir)
    return [
      ok('DATA_DIR', `${dataDir} can be written.`),
      syncFinding(syncMs),
      ...(await checkModes(dataDir)),
      ...(await checkFileSystem(dataDir, isSqlite)),
    ]
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const remedy = ['EACCES', 'EPERM', 'EROFS'].includes(code)
      ? `Make the folder writable for the user of the server: chown -R ${process.getuid?.() ?? 'user'} ${dataDir}, or mount it for writing.`
      : 'Set DATA_DIR to a folder on a working disk with room.'
    return [error('DATA_DIR', `${dataDir} cannot be written: ${message}.`, remedy)]
  }
}

/** Returns the median time of a write with a sync, in milliseconds. */
async function measureSyncs(folder: string): Promise<number> {
  const path = join(folder, `.doctor-${randomBytes(4).toString('hex')}`)
  const file = await open(path, 'wx', 0o600)
  try {
    const times: number[] = []
    for (let i = 0; i < SYNCS; i++) {
      const startedMs = performance.now()
      await file.write(randomBytes(SYNCED_BYTES))
      await file.sync()
      times.push(performance.now() - startedMs)
    }
    return times.sort((a, b) => a - b)[Math.floor(SYNCS / 2)]
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

function syncFinding(syncMs: number): Finding {
  const found = `A write with fsync takes ${syncMs.toFixed(1)} ms (median of ${SYNCS}).`
  if (syncMs < SLOW_SYNC_MS) return ok('fsync', found)
  return warning(
    'fsync',
    `${found} Every acknowledged request waits for one.`,
    'Put DATA_DIR on an SSD, and nothing busy beside it.',
  )
}

async function checkModes(dataDir: string): Promise<Finding[]> {
  const names = await readdir(dataDir)
  const secrets = names.filter((name) => name === 'secret' || /\.sqlite(-wal|-shm)?$/.test(name))
  const modes = await Promise.all(secrets.map(async (name) => ({ name, ...(await stat(join(dataDir, name))) })))
  const open = modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ name }) => name)
  const isShut = ((await stat(dataDir)).mode & 0o077) === 0
  const own = process.getuid?.()
  const foreign = modes.filter(({ uid }) => own !== undefined && uid !== own).map(({ name }) => name)
  return [
    open.length === 0 || isShut
      ? ok('permissions', 'Only the owner can read the secret and the databases.')
      : warning('permissions', `Others on this machine can read ${open.join(', ')}.`, `chmod 700 ${dataDir}`),
    ...(foreign.length === 0
      ? []
      : [
          warning(
            'owner',
            `${foreign.join(', ')} belong to another user than the one who runs this.`,
            'Run the doctor and the server as the same user.',
          ),
        ]),
  ]
}

async function checkFileSystem(dataDir: string, isSqlite: boolean): Promise<Finding[]> {
  const { type, bavail, bsize, ffree, files } = await statfs(dataDir)
  const network = NETWORKS[type]
  const fleeting = FLEETING[type]
  const findings = [roomFinding(bavail * bsize)]
  if (files > 0 && ffree < LEAST_FREE_FILES)
    findings.push(warning('files', `There is room for ${ffree} files only.`, 'Use a file system with more inodes.'))
  if (network !== undefined && isSqlite) {
    const found = `DATA_DIR is on ${network}. Locks and fsync of SQLite are not reliable over a network, and databases can be damaged.`
    findings.push(error('file system', found, 'Put DATA_DIR on a local disk, or use PostgreSQL with a bucket.'))
  } else if (fleeting !== undefined) {
    const found = `DATA_DIR is on ${fleeting}: everything is lost with it.`
    findings.push(warning('file system', found, 'Mount a disk or a volume at DATA_DIR.'))
  } else findings.push(ok('file system', network === undefined ? 'Local.' : `${network}.`))
  return findings
}

function roomFinding(bytes: number): Finding {
  const found = `${fileSize(bytes, 'en')} are free.`
  if (bytes >= ROOM_WARNING_BYTES) return ok('room', found)
  const remedy = 'Free some space or enlarge the disk. docs/running.md says what a point and a page take.'
  if (bytes < ROOM_ERROR_BYTES) return error('room', `${found} Soon nothing can be recorded.`, remedy)
  return warning('room', found, remedy)
}
