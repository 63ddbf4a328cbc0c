import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { CopyObjectCommand, DeleteObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { onStore, translateBlobFailure } from './blob-failure.ts'
import { assertBlobKey } from './blob-key.ts'
import { type BlobDraft, BlobExistsError } from './blob-store.ts'
import { ifNotFound, isAnswer } from './s3-answer.ts'
import { DRAFTS, type S3Bucket } from './s3-bucket.ts'
import { readSource } from './source-bytes.ts'

/** S3 takes 10,000 parts of at least 5 MiB: with these a blob can have 80 GB, of which a copy takes 5. */
const PART_BYTES = 8 * 1_048_576
/** Parts under way at once, each of them in memory. */
const PARTS_AT_ONCE = 3
/** A name that another is just deleting or writing is tried again; more often than this is no accident. */
const COMMIT_ATTEMPTS = 5

/** What a draft holds, and how that becomes the object of a key if there is none yet. */
type Content = {
  size: number
  /** `ifNone` is the condition that there is no such object, on servers that know it. */
  put(to: { Bucket: string; Key: string }, ifNone: { IfNoneMatch?: '*' }): Promise<unknown>
  discard(): Promise<void>
}

/**
 * Gives the `draft` of a bucket's store. What fits into one part waits in memory and is written once it has a key, in
 * one request; more is uploaded in parts among the drafts and copied within S3.
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
          // It has its name; an object among the drafts that stays until the sweep does no harm.
          await content.discard().catch(() => {})
        },
        discard: () => onStore(() => content.discard()),
        [Symbol.asyncDispose]: () => onStore(() => content.discard()),
      }
    } catch (error) {
      throw input.failureOr(error, translateBlobFailure)
    }
  }
}

/** Pieces wait here until there is a part of them, and their source may use their memory again before. */
async function* copies(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) yield Buffer.from(piece)
}

/** Reads until there is more than one part, or until the end. */
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

function inMemory({ client }: S3Bucket, id: string, body: Buffer): Content {
  return {
    size: body.length,
    put: (to, ifNone) => client.send(new PutObjectCommand({ ...to, ...ifNone, Body: body, Metadata: { draft: id } })),
    discard: async () => {},
  }
}

async function uploaded(
  { client, bucket, prefix }: S3Bucket,
  id: string,
  first: Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
  size: () => number,
): Promise<Content> {
  const from = { Bucket: bucket, Key: `${prefix}${DRAFTS}${id}` }
  const body = Readable.from(joined(first, rest), { objectMode: false })
  try {
    // When it fails it takes its parts back.
    await new Upload({
      client,
      params: { ...from, Body: body, Metadata: { draft: id } },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    }).done()
  } finally {
    body.destroy()
  }
  let isThere = true
  return {
    size: size(),
    put: (to, ifNone) => client.send(new CopyObjectCommand({ ...to, ...ifNone, CopySource: `${bucket}/${from.Key}` })),
    async discard() {
      if (isThere) await client.send(new DeleteObjectCommand(from)).catch(ifNotFound(undefined))
      isThere = false
    },
  }
}

async function* joined(first: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  while (first.length > 0) yield first.shift()!
  yield* rest
}

function createCommit({ client, bucket, prefix }: S3Bucket) {
  let knowsConditions = true

  /** Whether there is an object; false when it is this draft's own, from an answer that was lost on its way. */
  async function isTaken(to: { Bucket: string; Key: string }, id: string): Promise<boolean | 'ours'> {
    const found = await client.send(new HeadObjectCommand(to)).catch(ifNotFound(undefined))
    return found === undefined ? false : found.Metadata?.draft === id ? 'ours' : true
  }

  return async function commit(content: Content, id: string, key: string): Promise<void> {
    assertBlobKey(key)
    const to = { Bucket: bucket, Key: prefix + key }
    for (let attempt = 1; ; attempt++) {
      // Asked first, for the sake of servers that take the condition for a header like any other.
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
