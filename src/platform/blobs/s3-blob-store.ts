import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { blobsUnavailable, onStore, translateBlobFailure } from './blob-failure.ts'
import { assertBlobFolder, assertBlobKey, type BlobRange, type BlobStore, isBlobKey } from './blob-store.ts'
import type { S3Address } from './s3-address.ts'
import { createS3DraftWriter, DRAFTS, ifNotFound, isAnswer, type S3Bucket } from './s3-draft.ts'
import { createS3Partials } from './s3-partials.ts'

const CONNECT_WITHIN_MS = 2000
/**
 * Time for a response to begin, and for an upload without progress. With a second attempt, a request to a bucket that
 * hangs still ends within ten seconds.
 */
const RESPOND_WITHIN_MS = 4000
const ATTEMPTS = 2
/** Time after which a connection without traffic is closed. A reader that takes a pause must not lose its file. */
const SILENT_CONNECTION_MS = 60_000
/** Maximum number of connections. Each response to a slow reader holds one. */
const MAX_CONNECTIONS = 500

/**
 * Opens a store that keeps blobs as objects of a bucket, on AWS or a compatible server. A crash leaves at most an
 * object among the drafts or a multipart upload, both of which the sweep removes. Does not wait for the bucket; `check`
 * does. Rejects with UNAVAILABLE if there is no region.
 */
export async function openS3BlobStore(address: S3Address): Promise<BlobStore> {
  const client = createClient(address, {
    requestTimeout: RESPOND_WITHIN_MS,
    throwOnRequestTimeout: true,
    socketTimeout: SILENT_CONNECTION_MS,
  })
  const uploading = createClient(address, { socketTimeout: RESPOND_WITHIN_MS })
  const store = s3BlobStore({ client, uploading, bucket: address.bucket, prefix: address.prefix })
  try {
    await client.config.region()
  } catch (cause) {
    await store.close()
    throw blobsUnavailable('There is no region for the storage bucket.', cause)
  }
  return store
}

type TimeLimits = { requestTimeout?: number; throwOnRequestTimeout?: boolean; socketTimeout: number }

function createClient(address: S3Address, limits: TimeLimits): S3Client {
  return new S3Client({
    ...(address.endpoint === undefined ? {} : { endpoint: address.endpoint }),
    ...(address.region === undefined ? {} : { region: address.region }),
    ...(address.credentials === undefined ? {} : { credentials: address.credentials }),
    forcePathStyle: address.forcePathStyle,
    // Not all servers know the checksums that the client sends by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    requestHandler: {
      ...limits,
      connectionTimeout: CONNECT_WITHIN_MS,
      httpAgent: { maxSockets: MAX_CONNECTIONS },
      httpsAgent: { maxSockets: MAX_CONNECTIONS },
    },
  })
}

function s3BlobStore(bucket: S3Bucket): BlobStore {
  const { client, prefix } = bucket
  const draft = createS3DraftWriter(bucket)

  function objectOf(key: string) {
    assertBlobKey(key)
    return { Bucket: bucket.bucket, Key: prefix + key }
  }

  return {
    kind: 'S3',
    draft,
    partials: createS3Partials(bucket, (object) => readObject(bucket, object, undefined)),
    read: (key, range) => onStore(() => readObject(bucket, objectOf(key), range)),

    head: (key) =>
      onStore(async () => {
        const found = await client.send(new HeadObjectCommand(objectOf(key))).catch(ifNotFound(undefined))
        return found && { size: found.ContentLength ?? 0 }
      }),

    localPath(key) {
      assertBlobKey(key)
      return undefined
    },

    delete: (key) =>
      onStore(async () => {
        await client.send(new DeleteObjectCommand(objectOf(key))).catch(ifNotFound(undefined))
      }),

    async *list(folder = '') {
      assertBlobFolder(folder)
      try {
        const pages = paginateListObjectsV2({ client }, { Bucket: bucket.bucket, Prefix: prefix + folder })
        for await (const { Contents = [] } of pages) {
          for (const { Key = '', Size = 0, LastModified } of Contents) {
            const key = Key.slice(prefix.length)
            if (isBlobKey(key)) yield { key, size: Size, modifiedMs: LastModified?.getTime() ?? 0 }
          }
        }
      } catch (error) {
        throw translateBlobFailure(error)
      }
    },

    sweepDrafts: (olderThanMs) => onStore(() => sweepS3Drafts(bucket, Date.now() - olderThanMs)),

    check: () =>
      onStore(async () => {
        await client.send(new HeadBucketCommand({ Bucket: bucket.bucket }))
      }),

    async close() {
      client.destroy()
      bucket.uploading.destroy()
    },
  }
}

async function readObject(
  { client }: S3Bucket,
  object: { Bucket: string; Key: string },
  range: BlobRange | undefined,
): Promise<Readable | undefined> {
  try {
    const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
    const found = await client.send(new GetObjectCommand({ ...object, ...part })).catch(ifNotFound(undefined))
    return found === undefined ? undefined : guardBody(found.Body as Readable)
  } catch (error) {
    // The range is beyond the end. A file returns no bytes, too.
    if (isAnswer(error, 416)) return Readable.from([])
    throw error
  }
}

/** Time without a byte, while somebody waits for the next one, after which a body is given up. */
const STALLED_AFTER_MS = 5000

/**
 * Returns the body of a response as a stream that fails with UNAVAILABLE when the server stops in the middle of it.
 * Only the time is counted for which the reader waits: a slow reader may pause for as long as the connection lasts.
 */
function guardBody(body: Readable, stalledAfterMs = STALLED_AFTER_MS): Readable {
  let stalled: NodeJS.Timeout | undefined

  const guarded = new Readable({
    read() {
      stalled ??= setTimeout(() => {
        guarded.destroy(blobsUnavailable('The storage took too long.'))
      }, stalledAfterMs)
      body.resume()
    },
    destroy(error, done) {
      clearTimeout(stalled)
      body.destroy()
      done(error)
    },
  })
  body.on('data', (chunk: Uint8Array) => {
    stalled = void clearTimeout(stalled)
    if (!guarded.push(chunk)) body.pause()
  })
  body.on('end', () => {
    stalled = void clearTimeout(stalled)
    guarded.push(null)
  })
  body.on('error', (error) => guarded.destroy(translateBlobFailure(error) as Error))
  body.pause()
  // A reader that leaves closes the connection. That is an error, and possibly nobody handles it.
  return guarded.on('error', () => {})
}

/** Deletes drafts and aborts multipart uploads that are older than a time. @returns their number */
async function sweepS3Drafts(bucket: S3Bucket, limitMs: number): Promise<number> {
  return (await sweepObjects(bucket, limitMs)) + (await sweepUploads(bucket, limitMs))
}

async function sweepObjects({ client, bucket, prefix }: S3Bucket, limitMs: number): Promise<number> {
  let swept = 0
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: prefix + DRAFTS },
  )) {
    for (const { Key, LastModified } of Contents) {
      if ((LastModified?.getTime() ?? 0) > limitMs) continue
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
      swept++
    }
  }
  return swept
}

async function sweepUploads({ client, bucket, prefix }: S3Bucket, limitMs: number): Promise<number> {
  let swept = 0
  for await (const { Key, UploadId, Initiated } of uploadsIn(client, bucket, prefix + DRAFTS)) {
    if ((Initiated?.getTime() ?? 0) > limitMs) continue
    await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(ifNotFound(undefined))
    swept++
  }
  return swept
}

async function* uploadsIn(client: S3Client, bucket: string, folder: string): AsyncGenerator<MultipartUpload> {
  let marker = {}
  for (;;) {
    const page: ListMultipartUploadsCommandOutput | undefined = await client
      .send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: folder, ...marker }))
      .catch(ifNotImplemented)
    yield* page?.Uploads ?? []
    if (page?.IsTruncated !== true) return
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}

/** Some servers cannot list multipart uploads. They remove leftovers by a rule of their own. */
function ifNotImplemented(error: unknown): undefined {
  if (!isAnswer(error, 501)) throw error
}
