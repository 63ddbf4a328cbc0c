import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { type Appender, appendSource } from './append-source.ts'
import { onStore } from './blob-failure.ts'
import {
  type AppendOptions,
  type PartialBlob,
  type PartialBlobs,
  PartialLostError,
  type PartialMultipart,
} from './partial-blobs.ts'
import { copyLimits, createCommit, DRAFTS, ifNotFound, PART_BYTES, type S3Bucket } from './s3-draft.ts'

/** Time between two syncs of a rest that is too short for a part. Each writes the whole rest again. */
const SYNC_EVERY_MS = 10_000

/** Reads an object; undefined if it does not exist. */
type ReadObject = (object: { Bucket: string; Key: string }) => Promise<Readable | undefined>

/**
 * Makes the partial files of a bucket: parts of a multipart upload, and an object with the rest that is too short for a
 * part. Each part is recorded before the next one is sent, so that a writer that was replaced sends at most one
 * more, whose number nobody else uses.
 */
export function createS3Partials(bucket: S3Bucket, readObject: ReadObject): PartialBlobs {
  const place = createCommit(bucket)
  const objectOf = (name: string) => ({ Bucket: bucket.bucket, Key: `${bucket.prefix}${DRAFTS}${name}` })

  async function readRest({ pieces }: PartialBlob): Promise<Buffer> {
    const [rest] = pieces
    if (rest === undefined) return Buffer.alloc(0)
    const stored = await readObject(objectOf(rest.name))
    if (stored === undefined) throw new PartialLostError()
    return await buffer(stored)
  }

  return {
    async append(before, source, options) {
      const rest = before === undefined ? Buffer.alloc(0) : await onStore(() => readRest(before))
      const appender = new S3Appender(bucket, before ?? { size: 0, pieces: [] }, rest, options)
      if (options.isTakenOver) await appender.skipPart()
      return await appendSource(source, appender, options)
    },

    async assemble(partial) {
      const { multipart, size } = partial
      const draft = multipart?.name ?? partial.pieces[0].name
      const from = objectOf(draft)
      const findSize = async () =>
        (await bucket.client.send(new HeadObjectCommand(from)).catch(ifNotFound(undefined)))?.ContentLength
      const isThere = await onStore(async () => {
        if ((await findSize()) === size) return true
        if (multipart === undefined) return false
        await complete(bucket, multipart, await readRest(partial))
        return (await findSize()) === size
      })
      if (!isThere) throw new PartialLostError()
      const put = (to: { Bucket: string; Key: string }, ifNone: { IfNoneMatch?: '*' }) =>
        bucket.client.send(
          new CopyObjectCommand({ ...to, ...ifNone, CopySource: `${bucket.bucket}/${from.Key}` }),
          copyLimits(size),
        )
      return {
        async read() {
          const stored = await onStore(() => readObject(from))
          if (stored === undefined) throw new PartialLostError()
          return stored
        },
        commit: (key) => onStore(() => place({ size, put, discard: async () => {} }, draft, key)),
      }
    },

    remove: ({ multipart, pieces }) =>
      onStore(async () => {
        const { client } = bucket
        const names = pieces.map(({ name }) => name)
        if (multipart !== undefined) {
          names.push(multipart.name)
          const upload = { ...objectOf(multipart.name), UploadId: multipart.uploadId }
          await client.send(new AbortMultipartUploadCommand(upload)).catch(ifNotFound(undefined))
        }
        for (const name of names)
          await client.send(new DeleteObjectCommand(objectOf(name))).catch(ifNotFound(undefined))
      }),
  }
}

/** Makes an object of the parts and the rest. */
async function complete(bucket: S3Bucket, multipart: PartialMultipart, rest: Buffer): Promise<void> {
  const { name, uploadId, nextPart, parts } = multipart
  const upload = { Bucket: bucket.bucket, Key: `${bucket.prefix}${DRAFTS}${name}`, UploadId: uploadId }
  const all = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
  const bytes = parts.reduce((sum, { size }) => sum + size, 0)
  if (rest.length > 0) {
    const part = { ...upload, PartNumber: nextPart, Body: rest }
    const { ETag } = await bucket.uploading.send(new UploadPartCommand(part)).catch(toLost)
    all.push({ PartNumber: nextPart, ETag: ETag! })
  }
  const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: all } })
  // Another request may have done so just now. Whether the object is there is looked at next.
  await bucket.client.send(command, copyLimits(bytes)).catch(ifNotFound(undefined))
}

class S3Appender implements Appender {
  readonly syncEveryMs = SYNC_EVERY_MS
  readonly #bucket: S3Bucket
  readonly #before: PartialBlob
  readonly #options: AppendOptions
  #multipart: PartialMultipart | undefined
  /** Bytes of the parts. */
  #partsSize: number
  /** The rest: bytes that are not in a part yet, and the object that holds them. */
  #chunks: Buffer[]
  #restSize: number
  #piece: { name: string; size: number } | undefined
  #isRestStored = true
  #sending: Promise<void> = Promise.resolve()

  constructor(bucket: S3Bucket, before: PartialBlob, rest: Buffer, options: AppendOptions) {
    this.#bucket = bucket
    this.#before = before
    this.#options = options
    this.#multipart = before.multipart
    this.#partsSize = before.size - rest.length
    this.#chunks = [rest]
    this.#restSize = rest.length
    this.#piece = before.pieces[0]
  }

  /** Leaves out the number that an earlier writer may be using. */
  async skipPart(): Promise<void> {
    if (this.#multipart === undefined) return
    this.#multipart = { ...this.#multipart, nextPart: this.#multipart.nextPart + 1 }
    await this.#options.record({ ...this.#before, multipart: this.#multipart })
  }

  async write(chunk: Uint8Array): Promise<void> {
    // Its memory is used again.
    this.#chunks.push(Buffer.from(chunk))
    this.#restSize += chunk.byteLength
    this.#isRestStored = false
    if (this.#restSize < PART_BYTES) return
    // The next part is collected while this one is sent.
    await this.#sending
    const part = Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#restSize = 0
    this.#sending = this.#sendPart(part)
    this.#sending.catch(() => {})
  }

  async sync(): Promise<PartialBlob> {
    await this.#sending
    const earlier = this.#piece
    if (this.#restSize === 0) this.#piece = undefined
    else if (!this.#isRestStored) this.#piece = await onStore(() => this.#storeRest())
    this.#isRestStored = true
    const partial = this.#partial()
    await this.#options.record(partial)
    if (earlier !== this.#piece) await this.#remove(earlier)
    return partial
  }

  async close(): Promise<void> {
    await this.#sending
  }

  #partial(): PartialBlob {
    const pieces = this.#piece === undefined ? [] : [this.#piece]
    const size = this.#partsSize + (this.#piece?.size ?? 0)
    return { size, pieces, ...(this.#multipart !== undefined && { multipart: this.#multipart }) }
  }

  async #sendPart(bytes: Buffer): Promise<void> {
    const { uploading } = this.#bucket
    const multipart = this.#multipart ?? (await onStore(() => this.#begin()))
    const { name, uploadId, nextPart: number, parts } = multipart
    const part = { ...this.#object(name), UploadId: uploadId, PartNumber: number, Body: bytes }
    const { ETag } = await onStore(() => uploading.send(new UploadPartCommand(part)).catch(toLost))
    this.#multipart = {
      ...multipart,
      nextPart: number + 1,
      parts: [...parts, { number, size: bytes.length, etag: ETag! }],
    }
    if (this.#options.verify !== undefined) {
      // The part does not count yet, but its number is used.
      const reserved = { ...multipart, nextPart: number + 1, parts: this.#before.multipart?.parts ?? [] }
      await this.#options.record({ ...this.#before, multipart: reserved })
      this.#partsSize += bytes.length
      return
    }
    this.#partsSize += bytes.length
    // The rest of before is in the part now.
    const earlier = this.#piece
    this.#piece = undefined
    await this.#options.record(this.#partial())
    await this.#remove(earlier)
  }

  async #begin(): Promise<PartialMultipart> {
    const name = randomUUID()
    const upload = { ...this.#object(name), Metadata: { draft: name } }
    const { UploadId } = await this.#bucket.client.send(new CreateMultipartUploadCommand(upload))
    return { name, uploadId: UploadId!, nextPart: 1, parts: [] }
  }

  async #storeRest(): Promise<{ name: string; size: number }> {
    const name = randomUUID()
    const rest = Buffer.concat(this.#chunks)
    this.#chunks = [rest]
    const object = { ...this.#object(name), Body: rest, Metadata: { draft: name } }
    await this.#bucket.uploading.send(new PutObjectCommand(object))
    return { name, size: rest.length }
  }

  /** Deletes an object that is needed no more. If that fails, the sweep does. */
  async #remove(piece: { name: string } | undefined): Promise<void> {
    if (piece !== undefined)
      await this.#bucket.client.send(new DeleteObjectCommand(this.#object(piece.name))).catch(() => {})
  }

  #object(name: string) {
    const { bucket, prefix } = this.#bucket
    return { Bucket: bucket, Key: `${prefix}${DRAFTS}${name}` }
  }
}

/** Turns the answer for an upload that does not exist into PartialLostError. */
function toLost(error: unknown): never {
  ifNotFound(undefined)(error)
  throw new PartialLostError({ cause: error })
}
