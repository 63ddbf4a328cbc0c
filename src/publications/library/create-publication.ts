import { runIdempotent } from '#platform/database/idempotency.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { idempotencyKeyOf, sendIdempotent } from '#platform/http/idempotency-key.ts'
import { parseStoragePath, type SourceType, UploadTicket } from '../documents/schemas.ts'
import {
  bytesQuotaReached,
  documentRefused,
  nothingUploaded,
  pathIsTaken,
  pathMismatch,
  publicationsQuotaReached,
  sourceMismatch,
  tooManyTickets,
  uploadIsUsed,
  uploadNotFound,
} from '../model/errors.ts'
import { type FirstView, parseTitle, titleFromFile } from '../model/fields.ts'
import { publicationJson } from '../model/publication-json.ts'
import { type FileReplace, type ScheduleTexts, scheduleOf } from '../model/publication-update-schemas.ts'
import type { Access } from '../model/reading.ts'
import type { StatementChanges } from '../model/statements.ts'
import type { LibraryDeps } from './library-deps.ts'
import type { PublicationDoor } from './publication-doors.ts'

/** Registers the operations that create publications at the addresses of a door. */
export function creationRoutes(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  createUploadUrl(app, door, deps)
  createPublication(app, door, deps)
}

/** POST /publications/upload-url */
function createUploadUrl(app: HttpServer, door: PublicationDoor, { db, tickets, renderer, now }: LibraryDeps) {
  app.post(
    door.uploadUrlPath,
    {
      schema: {
        operationId: door.operationId('createUploadUrl'),
        summary: 'Get an upload address',
        description: door.texts({
          owner: 'Issues a ticket for one upload, which must begin within two hours.',
          operator:
            'Issues a ticket for one upload, as in the API for workspaces; send the file to its address by PUT.',
        }),
        ...door.uploads,
        ...door.workspaceParams,
        body: door.UploadTicketCreate,
        ...door.idempotent,
        problems: [...door.workspaceProblems, pathIsTaken, bytesQuotaReached, tooManyTickets],
        response: { 200: UploadTicket },
      },
    },
    async (request, reply) => {
      const { body } = request
      const path = body.path == null ? undefined : parseStoragePath(body.path)
      const type = body.type ?? 'pdf'
      const answer = await door.forWorkspace(request, async (workspaceId) => {
        const key = door.idempotent.idempotent && idempotencyKeyOf(request, workspaceId, 'createUploadUrl')
        return await runIdempotent(db, key, now(), async (transaction) => {
          const ticket = await tickets.issue(transaction, workspaceId, { type, path })
          return { status: 200, body: ticket, subjectId: ticket.storageKey }
        })
      })
      // A small file is uploaded faster than a thread starts.
      renderer.warm()
      return sendIdempotent(reply, answer)
    },
  )
}

/** POST /publications */
function createPublication(app: HttpServer, door: PublicationDoor, deps: LibraryDeps) {
  const { db, prepareFile, publications, readerPasswords, renderQueue, addresses, now } = deps
  app.post(
    door.publicationsPath,
    {
      schema: {
        operationId: door.operationId('createPublication'),
        summary: 'Create a publication',
        description: door.texts(CREATE_PUBLICATION),
        ...door.publications,
        ...door.workspaceParams,
        body: door.PublicationCreate,
        ...door.idempotent,
        problems: [...door.workspaceProblems, ...FILE_PROBLEMS, publicationsQuotaReached],
        response: { 201: door.Publication },
      },
    },
    async (request, reply) => {
      const body: NewPublication = request.body
      const isDraft = body.draft === true
      if (!isDraft) await door.demandRelease(request)
      const title = body.title === undefined ? undefined : parseTitle(body.title)
      const passwordHash = body.password == null ? null : await readerPasswords.hash(body.password)
      const answer = await door.forWorkspace(request, async (workspaceId) => {
        // Problems of the file are thrown inside only, because a repeated request gets its first answer instead.
        const preparing = prepareFile(workspaceId, body, body.sourceType)
        await Promise.allSettled([preparing])
        const key = door.idempotent.idempotent && idempotencyKeyOf(request, workspaceId, 'createPublication')
        return await runIdempotent(db, key, now(), async (transaction) => {
          const file = await preparing
          const created = await publications.create(transaction, {
            workspaceId,
            title: title ?? titleFromFile(file.facts.metadata.title, body.file_name!),
            isDraft,
            access: body.access,
            allowDownload: body.allow_download,
            firstView: body.first_view,
            recognizeText: body.recognize_text,
            collectionId: body.collection_id,
            schedule: scheduleOf(body),
            passwordHash,
            statements: body,
            ...file,
          })
          const json = publicationJson(created, { ...file, failedPages: [] }, addresses, now())
          return { status: 201, body: json, subjectId: created.id }
        })
      })
      if (!answer.replayed) renderQueue.wake()
      return sendIdempotent(reply, { ...answer, body: await door.createdJson(answer.body as CreatedPublication) })
    },
  )
}

type NewPublication = FileReplace &
  ScheduleTexts &
  StatementChanges & {
    access?: Access | null
    allow_download?: boolean | null
    first_view?: FirstView | null
    recognize_text?: boolean | null
    collection_id?: string | null
    password?: string | null
    title?: string
    sourceType?: SourceType
    title_from_file?: boolean | null
    file_name?: string
    draft?: boolean | null
  }
type CreatedPublication = ReturnType<typeof publicationJson>

const CREATE_PUBLICATION = {
  owner: `Creates a publication from an uploaded file. The file is opened before the answer: one that cannot be
published is refused with 422, and \`reason\` gives a code. The new publication is \`processing\`, and its PDF is available
at once. If the upload already belongs to a publication, \`slug\` of the 409 names it. The slug is derived from the title.`,
  operator: `Creates a publication from an uploaded file, which is opened before the answer, as in the API for workspaces. If
the upload already belongs to a publication, \`slug\` of the 409 names it. Without \`title\` the publication gets the title that
the file states, or else \`file_name\`.`,
}

/** Errors of the file that a request refers to. */
export const FILE_PROBLEMS = [
  pathMismatch,
  sourceMismatch,
  uploadNotFound,
  nothingUploaded,
  uploadIsUsed,
  documentRefused,
]
