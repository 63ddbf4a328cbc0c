import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { BlobExistsError, type BlobStore } from '../blobs/blob-store.ts'
import { connectBlobs } from '../blobs/connect-blobs.ts'
import { parseS3Address } from '../blobs/s3-address.ts'
import { clockFinding } from './check-postgres.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, error } = findingsOf('files')

const BYTES = Buffer.from('Written by the doctor, and removed again.\n')
const ASK_WITHIN_MS = 5_000

type Place = 'the folder of files' | 'the bucket'

const OTHER_STORE: Record<Place, string> = {
  'the bucket': 'Use a store that is compatible with S3.',
  'the folder of files': 'Use a local file system with hard links.',
}

/** Writes, reads and removes a file in the folder or the bucket, as the program does, and compares clocks. */
export async function checkBlobs(url: string, dataDir: string, now: () => number): Promise<Finding[]> {
  const where: Place = url === '' ? 'the folder of files' : 'the bucket'
  let store: BlobStore
  try {
    store = await connectBlobs({ url, dataDir })
    await store.check()
  } catch (cause) {
    return [failure('reachable', where, cause)]
  }
  const key = `doctor/${randomUUID()}`
  try {
    return [...(await tryStore(store, key, where)), ...(url === '' ? [] : await bucketClock(url, now))]
  } finally {
    await store.delete(key).catch(() => {})
    await store.close()
  }
}

async function tryStore(store: BlobStore, key: string, where: Place): Promise<Finding[]> {
  const findings: Finding[] = []
  const attempt = async (check: string, found: string, run: () => Promise<boolean>) => {
    try {
      const isRight = await run()
      findings.push(isRight ? ok(check, found) : error(check, `${where} did not do this: ${found}`, OTHER_STORE[where]))
      return isRight
    } catch (cause) {
      findings.push(failure(check, where, cause))
      return false
    }
  }
  const isWritten = await attempt('write', 'A file was stored.', async () => {
    await put(store, key)
    return (await store.head(key))?.size === BYTES.length
  })
  if (!isWritten) return findings
  await attempt('read', 'It was read back.', async () => BYTES.equals(await readAll(store, key)))
  await attempt('range', 'A part of it was read.', async () =>
    BYTES.subarray(3, 9).equals(await readAll(store, key, { start: 3, end: 8 })),
  )
  await attempt('no overwriting', 'A second file under the same key was refused.', async () => {
    return await put(store, key).then(
      () => false,
      (cause) => {
        if (cause instanceof BlobExistsError) return true
        throw cause
      },
    )
  })
  await attempt('delete', 'It was removed.', async () => {
    await store.delete(key)
    return (await store.head(key)) === undefined
  })
  return findings
}

async function put(store: BlobStore, key: string): Promise<void> {
  await using draft = await store.draft(
    (async function* () {
      yield BYTES
    })(),
  )
  await draft.commit(key)
}

async function readAll(store: BlobStore, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  const stream = await store.read(key, range)
  return stream === undefined ? Buffer.alloc(0) : await buffer(stream)
}

/** A bucket refuses requests whose time differs by more than fifteen minutes. */
async function bucketClock(url: string, now: () => number): Promise<Finding[]> {
  const { bucket, endpoint, region } = parseS3Address(url)
  const address = endpoint ?? `https://${bucket}.s3.${region ?? 'us-east-1'}.amazonaws.com`
  const answer = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(ASK_WITHIN_MS) }).catch(
    () => undefined,
  )
  const date = Date.parse(answer?.headers.get('date') ?? '')
  // The header has whole seconds.
  return Number.isNaN(date) ? [] : [clockFinding('clock', 'the bucket', date + 500 - now())]
}

function failure(check: string, where: Place, cause: unknown): Finding {
  const { message } = cause as Error
  const remedies = where === 'the bucket' ? BUCKET_REMEDIES : FOLDER_REMEDIES
  const [, remedy] = remedies.find(([pattern]) => pattern.test(message))!
  return error(check, `${where[0].toUpperCase()}${where.slice(1)} failed: ${message}`, remedy)
}

/** Remedies by the message of the failure. The last one fits everything. */
const BUCKET_REMEDIES: [RegExp, string][] = [
  [
    /refuses access/,
    'Allow GetObject, PutObject, DeleteObject and AbortMultipartUpload on the objects, and ListBucket on the bucket.',
  ],
  [/credentials/, 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the ones in BLOBS_URL.'],
  [/does not exist|another region/, 'Create the bucket, or correct its name, endpoint and region in BLOBS_URL.'],
  [/clock/i, 'Synchronise the clock of this machine.'],
  [/full/, 'Raise the quota of the bucket, or delete what nobody needs from its server.'],
  [/(?:)/, 'Compare BLOBS_URL with the bucket, and look whether it can be reached from here.'],
]
const FOLDER_REMEDIES: [RegExp, string][] = [
  [/refuses access|only be read/, 'Make DATA_DIR/blobs readable and writable for the user of the server.'],
  [/full/, 'Free some space or enlarge the disk of DATA_DIR.'],
  [/not there|needs a folder/, 'Mount the disk of DATA_DIR/blobs, or restore the folder from a backup.'],
  [/too many files/i, 'Raise the limit of open files (LimitNOFILE=, ulimit -n).'],
  [/(?:)/, 'Look for errors of the disk of DATA_DIR/blobs in the log of the system.'],
]
