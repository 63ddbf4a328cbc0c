import Type, { type Static } from 'typebox'
import { ruledBy, ruledTogether } from '#platform/http/field-rules.ts'
import { STORAGE_KEY, WORKSPACE_ID } from '../model/schemas.ts'

/** Limits of file systems for a segment, and of S3 for the key of an object. */
const MAX_SEGMENT_BYTES = 255
const MAX_PATH_BYTES = 1024

/**
 * Longest text that is normalised. Normalising sorts accents, which takes quadratic time: 25 s for 1 MiB of them. The
 * text of a path is at most three times as long before; the rest is for the id of a workspace.
 */
const MAX_SPELLING_BYTES = 4 * MAX_PATH_BYTES

/** Returns the path as it is stored: in Unicode NFC, so that paths which look the same are the same. */
export function parseStoragePath(text: string): string {
  return text.normalize('NFC')
}

/** Tells whether a text spells a stored path, in any normalisation. */
export function spellsPath(text: string, path: string): boolean {
  return Buffer.byteLength(text) <= MAX_SPELLING_BYTES && parseStoragePath(text) === path
}

/**
 * Describes what the path of a workspace's file must be; undefined for a valid one. A path is relative, with `/`
 * between segments, and its name ends as `sourceTypeOf` knows, in any case. It never names a file on a disk, but text
 * with a special meaning for a disk, a shell or an address is refused, so that files can be exported under their paths.
 * Percent-encoding has no meaning. All rules apply to the stored form.
 */
export function storagePathProblem(text: string): string | undefined {
  if (!text.isWellFormed()) return 'must be valid Unicode'
  if (Buffer.byteLength(text) > MAX_SPELLING_BYTES) return TOO_LONG
  const path = parseStoragePath(text)
  return RULES.find(({ isBroken }) => isBroken(path))?.problem
}

const TOO_LONG = `must have at most ${MAX_PATH_BYTES} bytes`

const RULES: readonly { isBroken: (path: string) => boolean; problem: string }[] = [
  {
    // First, so that the other rules see no long text.
    isBroken: (path) => Buffer.byteLength(path) > MAX_PATH_BYTES,
    problem: TOO_LONG,
  },
  { isBroken: (path) => /\p{Cc}/u.test(path), problem: 'must not contain control characters' },
  { isBroken: (path) => path.includes('\\'), problem: 'must not contain a backslash' },
  { isBroken: (path) => path.startsWith('/'), problem: 'must be relative: without / at its beginning' },
  { isBroken: (path) => /^[a-z]:/i.test(path), problem: 'must be relative: without a drive letter' },
  { isBroken: (path) => path.split('/').includes(''), problem: 'must not contain an empty segment' },
  {
    isBroken: (path) => path.split('/').some((segment) => segment === '.' || segment === '..'),
    problem: 'must not contain . or .. as a segment',
  },
  {
    isBroken: (path) => path.split('/').some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES),
    problem: `must have segments of at most ${MAX_SEGMENT_BYTES} bytes`,
  },
  { isBroken: (path) => sourceTypeOf(path) === undefined, problem: 'must end in .pdf, or as a file of images does' },
]

/** The source of a publication: a PDF, or a ZIP file of images or one image. */
export type SourceType = 'pdf' | 'images'

type Problem = { path: string; message: string }

/** Returns what a ticket for a path takes; undefined for a path that no ticket has. */
export function sourceTypeOf(path: string): SourceType | undefined {
  if (/\.pdf$/i.test(path)) return 'pdf'
  return /\.(?:zip|cbz|jpe?g|png|webp|avif|tiff?)$/i.test(path) ? 'images' : undefined
}

/** Checks that the path of a ticket ends as its type does. */
export function ticketProblems({ type = 'pdf', path }: { type?: unknown; path?: unknown }): Problem[] {
  if ((type !== 'pdf' && type !== 'images') || typeof path !== 'string') return []
  const found = sourceTypeOf(path)
  if (found === undefined || found === type) return []
  const endings = type === 'pdf' ? '.pdf' : '.zip, .cbz, .jpg, .png, .webp, .avif or .tif'
  return [{ path: 'path', message: `must end in ${endings}` }]
}

const storageKey = Type.String({ description: 'Storage key of the file.', examples: [STORAGE_KEY] })
const pdfPath = Type.String({
  description:
    'Path of the file: `<workspaceId>/<storageKey>.pdf`, with `.zip` for images, or `<workspaceId>/<path>` if one was requested.',
  examples: [`${WORKSPACE_ID}/2026/plan.pdf`],
})
const workspaceId = Type.String({ description: 'Id of the workspace.', examples: [WORKSPACE_ID] })

export const sourceType = Type.Unsafe<SourceType>({
  type: 'string',
  enum: ['pdf', 'images'],
  description:
    '`pdf`, or `images`: a ZIP or CBZ file of images, whose pages are in the natural order of their names, or one JPEG, PNG, WebP, AVIF or TIFF image.',
  examples: ['pdf'],
})

export const UploadTicketCreate = Type.Object(
  {
    type: sourceType,
    path: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        ...ruledBy(storagePathProblem),
        description:
          'Folders and file name of the file: relative, with `/` between segments of 1 to 255 bytes, at most 1,024 bytes in all, ending in `.pdf`, or for images in `.zip`, `.cbz` or as the image does. It is normalised to Unicode NFC.',
        examples: ['2026/plan.pdf'],
      }),
    ),
  },
  { title: 'UploadTicketCreate', ...ruledTogether(ticketProblems) },
)

export const UploadTicket = Type.Object(
  {
    uploadUrl: Type.String({
      description: 'Signed address to which the file is sent by PUT.',
      examples: [`https://api.example.org/uploads/${STORAGE_KEY}?expires=1767225600000&key=q83v&signature=uPyX`],
    }),
    token: Type.String({
      description: 'Upload token. It is part of `uploadUrl`, and need not be sent separately.',
      examples: ['uPyX'],
    }),
    storageKey,
    pdfPath,
    workspaceId,
  },
  { title: 'UploadTicket' },
)
export type UploadTicket = Static<typeof UploadTicket>

export const UploadParams = Type.Object({ storageKey })
export type UploadParams = Static<typeof UploadParams>

/** Describes the signature of the address, so that a program knows to send it on. */
export const UploadQuery = Type.Object({
  expires: Type.String({ description: 'When the ticket expires. Part of `uploadUrl`.', examples: ['1767225600000'] }),
  key: Type.String({ description: 'Which key signed the address. Part of `uploadUrl`.', examples: ['q83v'] }),
  signature: Type.String({ description: 'The signature. Part of `uploadUrl`.', examples: ['uPyX'] }),
})

export const TusAppend = Type.Object({
  'Tus-Resumable': Type.String({ description: 'The version of tus.', examples: ['1.0.0'] }),
  'Upload-Offset': Type.String({ description: 'Bytes that this server has, as HEAD tells.', examples: ['0'] }),
  'Upload-Length': Type.Optional(
    Type.String({ description: 'Size of the whole file in bytes.', examples: ['482113'] }),
  ),
  'Upload-Checksum': Type.Optional(
    Type.String({
      description: 'Checksum of this body: `sha1`, `sha256` or `sha512`, a space, and its Base64.',
      examples: ['sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0='],
    }),
  ),
})

/** Describes the body, which is never in memory as a whole. */
export const FileBody = Type.String({ format: 'binary', description: 'The file itself.' })

export const Uploaded = Type.Object(
  { storageKey, pdfPath, workspaceId, size: Type.Integer({ description: 'Size in bytes.', examples: [482113] }) },
  { title: 'Upload' },
)
export type Uploaded = Static<typeof Uploaded>
