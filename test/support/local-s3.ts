import { hash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { makeDataFolder } from './data-folder.ts'

/** The part of S3rver that is used here; the package has no types. */
type S3rver = {
  configureBuckets(): Promise<unknown>
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  logger: { exceptions: { unhandle(): void } }
  store: {
    getResourcePath(bucket: string, key: string, resource: 'object'): string
    putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>
    putObject(object: PutObject): Promise<{ size: number; md5: string }>
    existsObject(bucket: string, key: string): Promise<boolean>
    getObject(bucket: string, key: string, part?: { start: number; end: number }): Promise<unknown>
    listObjects(bucket: string, options: object): Promise<{ objects: StoredObject[]; isTruncated: boolean }>
  }
}
type PutObject = { bucket: string; key: string; metadata: object; content: Readable | Buffer }
type StoredObject = { key: string; size: number; lastModifiedDate: Date }

const S3rver: new (options: object) => S3rver = createRequire(import.meta.url)('s3rver')

const BUCKET = 'bucket'
/** Small, so that a list of a few objects has several pages. */
const MAX_PAGE = 10

/** An S3 server in this process. */
export type LocalS3 = {
  /** As `BLOBS_URL` takes it. */
  url: string
  /** Stores the next object, and closes the connection in place of an answer. */
  loseNextAnswer(): void
  close(): Promise<void>
}

export type LocalS3Options = {
  /** Handling of conditional writes: kept as by AWS, ignored or refused as by other servers. */
  conditions: 'kept' | 'ignored' | 'refused'
  /** Port to listen on; a free one by default. */
  port?: number
  /** Existing folder with the objects, which is kept; a temporary one by default. */
  folder?: string
}

/**
 * Starts S3rver with the features that it lacks: conditional writes, ranges of only the first byte, lists of several
 * pages, listing and aborting multipart uploads, and objects that appear as a whole or not at all.
 */
export async function startLocalS3({ conditions, port: givenPort = 0, folder }: LocalS3Options): Promise<LocalS3> {
  const directory = folder ?? makeDataFolder('s3-')
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET }] })
  await s3.configureBuckets()
  const getObject = s3.store.getObject.bind(s3.store)
  // S3rver treats a last byte of 0 as missing, but not '0'.
  s3.store.getObject = (bucket, key, part) => {
    return getObject(bucket, key, part?.end === 0 ? { ...part, end: '0' as unknown as number } : part)
  }
  s3.store.putObject = (object) => putWhole(s3, object, join(directory, `.draft-${randomUUID()}`))
  const answer = s3.callback()
  const uploads = join(directory, BUCKET, '._S3rver_uploads')
  const writing = new Set<string>()
  let losesAnswer = false

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://s3')
    const key = decodeURIComponent(pathname.slice(BUCKET.length + 2))
    if (request.method === 'GET' && searchParams.has('list-type')) return await listObjects(s3, searchParams, response)
    if (request.method === 'GET' && searchParams.has('uploads')) return listUploads(uploads, response)
    if (request.method === 'DELETE' && searchParams.has('uploadId')) {
      rmSync(join(uploads, searchParams.get('uploadId')!), { recursive: true, force: true })
      return response.writeHead(204).end()
    }
    // S3rver would make a folder of an upload that does not exist.
    if (searchParams.has('uploadId') && !existsSync(join(uploads, searchParams.get('uploadId')!, 'key')))
      return refuse(request, response, 404, 'NoSuchUpload')
    if (request.headers['if-none-match'] === '*' && conditions !== 'ignored') {
      if (conditions === 'refused') return refuse(request, response, 501, 'NotImplemented')
      // A write in progress counts as done: AWS answers 409 to one of two concurrent writes.
      if (writing.has(key)) return refuse(request, response, 409, 'ConditionalRequestConflict')
      writing.add(key)
      response.once('close', () => writing.delete(key))
      if (await s3.store.existsObject(BUCKET, key)) return refuse(request, response, 412, 'PreconditionFailed')
    }
    if (request.method === 'PUT' && losesAnswer) {
      losesAnswer = false
      response.end = () => {
        request.socket.destroy()
        return response
      }
    }
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(givenPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`)

  return {
    url: `s3://S3RVER:S3RVER@${BUCKET}?endpoint=${endpoint}`,
    loseNextAnswer: () => {
      losesAnswer = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      s3.logger.exceptions.unhandle()
      // The server still processes an interrupted request, and cannot report when it is done.
      if (folder === undefined) process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    },
  }
}

/** S3rver acknowledges an object before it is written, and shows what it has of one that is broken off. */
async function putWhole(s3: S3rver, { bucket, key, metadata, content }: PutObject, draft: string) {
  const bytes = Buffer.isBuffer(content) ? content : await buffer(content)
  const path = s3.store.getResourcePath(bucket, key, 'object')
  const md5 = hash('md5', bytes, 'hex')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(draft, bytes)
  await s3.store.putMetadata(bucket, key, metadata, md5)
  await rename(draft, path)
  return { size: bytes.length, md5 }
}

async function listObjects(s3: S3rver, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const prefix = query.get('prefix') ?? ''
  const startAfter = query.get('continuation-token') ?? ''
  const { objects, isTruncated } = await s3.store.listObjects(BUCKET, { prefix, startAfter, maxKeys: MAX_PAGE })
  const contents = objects.map(({ key, size, lastModifiedDate }) => {
    return `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${lastModifiedDate.toISOString()}</LastModified></Contents>`
  })
  const next = isTruncated ? `<NextContinuationToken>${objects.at(-1)!.key}</NextContinuationToken>` : ''
  sendXml(response, 'ListBucketResult', `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}`)
}

function listUploads(folder: string, response: ServerResponse): void {
  const ids = statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder)
  const listed = ids.map((id) => {
    const initiated = statSync(join(folder, id, 'key')).mtime.toISOString()
    const key = readFileSync(join(folder, id, 'key'), 'utf8')
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`
  })
  sendXml(response, 'ListMultipartUploadsResult', `<IsTruncated>false</IsTruncated>${listed.join('')}`)
}

function sendXml(response: ServerResponse, root: string, content: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0" encoding="UTF-8"?><${root}>${content}</${root}>`)
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume()
  request.once('end', () => {
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
  })
}
