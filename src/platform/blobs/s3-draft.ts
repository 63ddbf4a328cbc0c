import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { onStore, translateBlobFailure } from './blob-failure.ts'
import { assertBlobKey, type BlobDraft, BlobExistsError, readSource } from './blob-store.ts'

/** Size of parts. S3 allows 10,000 parts of at least 5 MiB, so that a copy sets the limit (`MAX_S3_BLOB_BYTES`). */
export const PART_BYTES = 8 * 1_048_576
/** Parts uploaded at once, each in memory. */
const PARTS_AT_ONCE = 3
/** Maximum attempts for a key that another request is just deleting or writing. */
const COMMIT_ATTEMPTS = 5
/**
 * Time for removing a draft that is not needed. A bucket that hangs must not delay the answer; the sweep removes the
 * rest.
 */
const CLEAN_UP_WITHIN_MS = 1000
/** Time for a copy within the bucket, which is silent until it is done: some seconds, and more for large files. */
const COPY_WITHIN_MS = 8000
const COPIED_BYTES_PER_MS = 50_000

/** Content of a draft, and how it becomes the object of a key. */
type Content = {
  size: number
  /** `ifNone` requires that the object does not exist yet, on servers that support it. */
  put(to: { Bucket: string; Key: string }, ifNone: { IfNoneMatch?: '*' }): Promise<unknown>
  discard(): Promise<void>
}

/**
 * Makes the `draft` method of a bucket's store. Content that fits into one part waits in memory and is written with its
 * key, in one request. Larger content is uploaded in parts among the drafts and copied within S3.
 */
export function createS3DraftWriter(bucket: S3Bucket): (source: AsyncIterable<Uint8Array>) => Promise<BlobDraft> {
  const place = createCommit(bucket)

  return async function draft(source) {
    const input = readSource(source)
    const id = randomUUID()
    try {
      const bytes = copies(input.bytes)
      const { chunks, ended } = await readPart(bytes)
      const content = ended
        ? inMemory(bucket, id, Buffer.concat(chunks))
        : await uploaded(bucket, id, chunks, bytes, input.size)
      return {
        size: content.size,
        commit: async (key) => {
          await onStore(() => place(content, id, key))
          // The blob exists. An object among the drafts does no harm until the sweep.
          await attempt(content.discard())
        },
        replace: async (key) => {
          assertBlobKey(key)
          await onStore(() => content.put({ Bucket: bucket.bucket, Key: bucket.prefix + key }, {}))
          await attempt(content.discard())
        },
        discard: () => onStore(() => content.discard()),
        [Symbol.asyncDispose]: () => attempt(content.discard()),
      }
    } catch (error) {
      throw input.failureOr(error, translateBlobFailure)
    }
  }
}

/** Waits for the removal of unneeded parts, but neither for long nor for its success. */
async function attempt(removal: Promise<unknown>): Promise<void> {
  await Promise.race([removal.catch(() => {}), wait(CLEAN_UP_WITHIN_MS, undefined, { ref: false })])
}

/** Collects chunks into parts, as copies, because their source may reuse their memory. */
async function* copies(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) yield Buffer.from(piece)
}

/** Reads until it has more than one part, or reaches the end. */
async function readPart(bytes: AsyncGenerator<Uint8Array>): Promise<{ chunks: Uint8Array[]; ended: boolean }> {
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= PART_BYTES; ) {
    const { done, value } = await bytes.next()
    if (done === true) return { chunks, ended: true }
    chunks.push(value)
    size += value.byteLength
  }
  return { chunks, ended: false }
}

function inMemory({ uploading }: S3Bucket, id: string, body: Buffer): Content {
  return {
    size: body.length,
    put: (to, ifNone) =>
      uploading.send(new PutObjectCommand({ ...to, ...ifNone, Body: body, Metadata: { draft: id } })),
    discard: async () => {},
  }
}

async function uploaded(
  { client, uploading, bucket, prefix }: S3Bucket,
  id: string,
  first: Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
  size: () => number,
): Promise<Content> {
  const from = { Bucket: bucket, Key: `${prefix}${DRAFTS}${id}` }
  const body = Readable.from(joined(first, rest), { objectMode: false })
  const upload = new Upload({
    client: uploading,
    params: { ...from, Body: body, Metadata: { draft: id } },
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
    // The library would wait for their removal, however long it takes.
    leavePartsOnError: true,
  })
  try {
    await upload.done()
  } catch (error) {
    const { uploadId } = upload
    if (uploadId !== undefined)
      await attempt(client.send(new AbortMultipartUploadCommand({ ...from, UploadId: uploadId })))
    throw error
  } finally {
    body.destroy()
  }
  let isThere = true
  return {
    size: size(),
    put: (to, ifNone) =>
      client.send(new CopyObjectCommand({ ...to, ...ifNone, CopySource: `${bucket}/${from.Key}` }), copyLimits(size())),
    async discard() {
      if (isThere) await client.send(new DeleteObjectCommand(from)).catch(ifNotFound(undefined))
      isThere = false
    },
  }
}

/** Returns the limits of time for a request after which the bucket copies so many bytes before it answers. */
export function copyLimits(bytes: number) {
  const withinMs = COPY_WITHIN_MS + Math.ceil(bytes / COPIED_BYTES_PER_MS)
  // The signal also ends a second attempt.
  return { requestTimeout: withinMs, abortSignal: AbortSignal.timeout(withinMs) }
}

async function* joined(first: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  while (first.length > 0) yield first.shift()!
  yield* rest
}

/** Makes the function that gives content its key, unless another object has it. */
export function createCommit({ client, bucket, prefix }: S3Bucket) {
  let knowsConditions = true

  /** Tells whether another object exists. This draft's own object, whose response was lost, does not count. */
  async function isTaken(to: { Bucket: string; Key: string }, id: string): Promise<boolean | 'ours'> {
    const found = await client.send(new HeadObjectCommand(to)).catch(ifNotFound(undefined))
    return found === undefined ? false : found.Metadata?.draft === id ? 'ours' : true
  }

  return async function commit(content: Content, id: string, key: string): Promise<void> {
    assertBlobKey(key)
    const to = { Bucket: bucket, Key: prefix + key }
    for (let attempt = 1; ; attempt++) {
      // Checked first, for servers that ignore the condition.
      const taken = await isTaken(to, id)
      if (taken === 'ours') return
      if (taken) throw new BlobExistsError(key)
      const ifNone = knowsConditions ? { IfNoneMatch: '*' as const } : {}
      try {
        await content.put(to, ifNone)
        return
      } catch (error) {
        if (isAnswer(error, 501) && 'IfNoneMatch' in ifNone) knowsConditions = false
        else if (!(isAnswer(error, 412) || isAnswer(error, 409)) || attempt === COMMIT_ATTEMPTS) throw error
      }
    }
  }
}

/** A bucket and its client. */
export type S3Bucket = {
  client: S3Client
  /** Client for requests with large bodies: it watches that bytes flow, rather than the time until the response. */
  uploading: S3Client
  bucket: string
  /** Empty, or a folder that ends with `/` and contains the whole store. */
  prefix: string
}

/** Keys never begin with a dot, so nothing in this folder is a blob. */
export const DRAFTS = '.drafts/'

/** Makes a handler for `catch` that returns this for a missing object and rethrows any other error. */
export function ifNotFound<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    // The response to HEAD has no body, so the error has no name of its own.
    if (isAnswer(error, 404) && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name)) return fallback
    throw error
  }
}

/** Tells whether a call got this HTTP status. */
export function isAnswer(error: unknown, status: number): error is S3ServiceException {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}
