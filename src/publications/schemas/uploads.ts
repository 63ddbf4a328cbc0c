import Type, { type Static } from 'typebox'
import { ruledBy } from '#platform/http/problems/field-rules.ts'
import { storagePathProblem } from '../domain/storage-path.ts'

const STORAGE_KEY = '7c0e3c1a-52a1-4c8e-9d0b-3f1f6f0a2b9d'
const WORKSPACE_ID = '2f6b1f0e-8d5a-4a52-9a5d-0c9b7c6a1e34'

const storageKey = Type.String({ description: 'Storage key of the file.', examples: [STORAGE_KEY] })
const pdfPath = Type.String({
  description: 'Path of the file: `<workspaceId>/<storageKey>.pdf`, or `<workspaceId>/<path>` if one was requested.',
  examples: [`${WORKSPACE_ID}/2026/plan.pdf`],
})
const workspaceId = Type.String({ description: 'Id of the workspace.', examples: [WORKSPACE_ID] })

export const UploadTicketCreate = Type.Object(
  {
    type: Type.Unsafe<'pdf'>({ type: 'string', enum: ['pdf'], examples: ['pdf'] }),
    path: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        ...ruledBy(storagePathProblem),
        description:
          'Folders and file name of the file: relative, with `/` between segments of 1 to 255 bytes, at most 1,024 bytes in all, ending in `.pdf`. It is normalised to Unicode NFC.',
        examples: ['2026/plan.pdf'],
      }),
    ),
  },
  { title: 'UploadTicketCreate' },
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

/** Describes what signs the address, so that a program knows to send it on. */
export const UploadQuery = Type.Object({
  expires: Type.String({ description: 'When the ticket expires. Part of `uploadUrl`.', examples: ['1767225600000'] }),
  key: Type.String({ description: 'Which key signed the address. Part of `uploadUrl`.', examples: ['q83v'] }),
  signature: Type.String({ description: 'The signature. Part of `uploadUrl`.', examples: ['uPyX'] }),
})

/** Describes the body, which is never in memory as a whole. */
export const PdfBody = Type.String({ format: 'binary', description: 'The file itself.' })

export const Uploaded = Type.Object(
  { storageKey, pdfPath, workspaceId, size: Type.Integer({ description: 'Size in bytes.', examples: [482113] }) },
  { title: 'Upload' },
)
export type Uploaded = Static<typeof Uploaded>
