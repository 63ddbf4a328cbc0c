import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { badRequest } from '#platform/basics/errors.ts'
import { isSameText } from '#platform/basics/secrets.ts'
import { notOffsetType, tusVersionUnknown } from '../model/errors.ts'
import type { UploadRow } from '../model/tables.ts'
import { tooLarge } from './store-upload.ts'

/** Headers of tus 1.0.0 (https://tus.io/protocols/resumable-upload). */

/** The checksum of a body, while the body arrives. */
export type Checksum = { add(piece: Uint8Array): void; isRight(): boolean }

/** Bytes that a request appends: where they begin, and the size of the whole file, if the request states it. */
export type Append = { offset: number; length: number | undefined; checksum: Checksum | undefined }

const VERSION = '1.0.0'
export const TUS_RESUMABLE = { 'tus-resumable': VERSION }
export const OFFSET_TYPE = 'application/offset+octet-stream'

/** Algorithms of checksums, with the length of their Base64. */
const CHECKSUMS: Record<string, number> = { sha1: 28, sha256: 44, sha512: 88 }

/** Returns the answer to OPTIONS, which lists the abilities of this server. */
export function tusAbilities(maxUploadBytes: number): Record<string, string> {
  return {
    ...TUS_RESUMABLE,
    'tus-version': VERSION,
    'tus-extension': 'expiration,checksum',
    'tus-max-size': String(maxUploadBytes),
    'tus-checksum-algorithm': Object.keys(CHECKSUMS).join(','),
  }
}

/** Headers of requests and of answers, which pages of other origins may send and read. */
export const TUS_REQUEST_HEADERS = ['Tus-Resumable', 'Upload-Checksum', 'Upload-Length', 'Upload-Offset']
export const TUS_ANSWER_HEADERS = [
  'Tus-Checksum-Algorithm',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Defer-Length',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
]

/** @throws tusVersionUnknown */
export function requireTus(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] !== VERSION) throw tusVersionUnknown({ headers: { 'tus-version': VERSION } })
}

/** Reads the head of a PATCH. @throws badRequest, notOffsetType, uploadTooLarge */
export function readAppend(
  headers: IncomingHttpHeaders,
  declaredType: string | undefined,
  { upload_length }: UploadRow,
  maxUploadBytes: number,
): Append {
  if (declaredType?.trim().toLowerCase() !== OFFSET_TYPE) throw notOffsetType()
  const offset = readNumber(headers, 'Upload-Offset')
  if (offset === undefined) throw badRequest({ detail: 'Upload-Offset is missing.' })
  const length = readNumber(headers, 'Upload-Length')
  if (length !== undefined && length > maxUploadBytes) throw tooLarge(maxUploadBytes)
  if (length !== undefined && upload_length !== null && length !== upload_length)
    throw badRequest({ detail: `Upload-Length was ${upload_length} before, and cannot change.` })
  const whole = upload_length ?? length
  const end = offset + Number(headers['content-length'] ?? 0)
  if (whole === undefined && end > maxUploadBytes) throw tooLarge(maxUploadBytes)
  if (whole !== undefined && end > whole) throw beyondLength(end, whole)
  return { offset, length, checksum: readChecksum(headers['upload-checksum']) }
}

/** Makes the error of bytes beyond the size of their file. */
export function beyondLength(end: number, length: number) {
  return badRequest({ detail: `Upload-Offset and the body lead to ${end} bytes, beyond Upload-Length, ${length}.` })
}

/** Returns the headers that describe an upload. A ticket that was used by PUT has the whole file. */
export function uploadState(upload: UploadRow): Record<string, string> {
  const size = upload.blob_key === null ? upload.upload_length : (upload.upload_length ?? upload.size)
  const offset = upload.blob_key === null ? (upload.upload_offset ?? 0) : size
  return {
    ...TUS_RESUMABLE,
    'upload-offset': String(offset),
    ...(size === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(size) }),
    ...(upload.blob_key === null && {
      'upload-expires': new Date(upload.resumable_until ?? upload.expires_at).toUTCString(),
    }),
  }
}

/** Reads a number of bytes. @throws badRequest */
function readNumber(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = headers[name.toLowerCase()]
  if (text === undefined) return undefined
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text))
    throw badRequest({ detail: `${name} must be a number of bytes.` })
  return Number(text)
}

/** Reads the algorithm and the checksum of a body. @throws badRequest */
function readChecksum(header: string | string[] | undefined): Checksum | undefined {
  if (header === undefined) return undefined
  const [algorithm, expected, ...rest] = String(header).split(' ')
  if (!Object.hasOwn(CHECKSUMS, algorithm) || rest.length > 0)
    throw badRequest({ detail: `Upload-Checksum must begin with ${Object.keys(CHECKSUMS).join(', ')} and a space.` })
  if (expected?.length !== CHECKSUMS[algorithm])
    throw badRequest({ detail: `Upload-Checksum must have ${CHECKSUMS[algorithm]} characters of Base64.` })
  const hash = createHash(algorithm)
  return {
    add: (piece) => void hash.update(piece),
    isRight: () => isSameText(hash.digest('base64'), expected),
  }
}
