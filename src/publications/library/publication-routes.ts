import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { publicationNotFound, slugIsTaken } from '../model/errors.ts'
import { parseTitle } from '../model/fields.ts'
import type { Publication } from '../model/publication-rows.ts'
import { FileReplace, type PublicationUpdate, scheduleOf } from '../model/publication-update-schemas.ts'
import { FILE_PROBLEMS } from './create-publication.ts'
import type { LibraryDeps } from './library-deps.ts'
import type { PublicationDoor } from './publication-doors.ts'

/** Registers the operations that change publications at the addresses of a door. */
export function changeRoutes(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  updatePublication(app, door, deps)
  deletePublication(app, door, deps)
  unpublish(app, door, deps)
  publish(app, door, deps)
  replaceFile(app, door, deps)
}

/** GET /publications */
export function listPublications(app: HttpServer, door: PublicationDoor): void {
  app.get(
    door.publicationsPath,
    {
      schema: {
        operationId: door.operationId('listPublications'),
        ...door.texts({
          owner: {
            summary: 'List publications',
            description:
              'Returns all publications of the workspace, newest first, including unpublished ones. Streams them, however many; if it fails midway, the connection breaks off and the array has no end.',
          },
          operator: {
            summary: "List a workspace's publications",
            description:
              'Returns publications of a workspace, searched, filtered and sorted, including unpublished ones.',
          },
        }),
        ...door.publications,
        ...door.workspaceParams,
        problems: [...door.workspaceProblems],
        ...door.listSchema,
      },
    },
    async (request, reply) => await door.forWorkspace(request, (workspaceId) => door.list(workspaceId, request, reply)),
  )
}

type Texts = { summary: string; description: string }

/** Describes an operation on one publication. */
function operation(door: PublicationDoor, name: string, texts: { owner: Texts; operator: Texts }) {
  const { operationId, publications, publicationParams } = door
  return { operationId: operationId(name), ...door.texts(texts), ...publications, params: publicationParams }
}

/** PATCH /publications/:slug */
function updatePublication(app: HttpServer, door: PublicationDoor, deps: LibraryDeps) {
  const { publications, readerPasswords } = deps
  app.patch(
    door.publicationPath,
    {
      schema: {
        operationId: door.operationId('updatePublication'),
        summary: 'Update a publication',
        description: door.texts({
          owner: `Changes the title, the slug, who may read it and when, or the language, author and description that readers and search engines see; absent members stay as they are.
The author and the subject that the file states are published only with \`author_from_file\` and \`description_from_file\`.
A new title does not change the slug. Former slugs still lead to the publication, and are never given to another.`,
          operator: 'A new title does not change the slug. Former slugs still lead to the publication.',
        }),
        ...door.publications,
        params: door.publicationParams,
        body: door.PublicationUpdate,
        problems: [publicationNotFound, slugIsTaken],
        response: { 200: door.Publication },
      },
      // A request without a body changes nothing, like one with an empty object.
      preValidation: async (request) => {
        if (request.body === undefined) (request as { body: PublicationUpdate }).body = {}
      },
    },
    async (request) => {
      const { workspaceId, slug } = await door.find(request)
      const { publish_at, expires_at, access, password, ...body }: PublicationUpdate = request.body
      const change = {
        ...body,
        access,
        title: body.title == null ? undefined : parseTitle(body.title),
        slug: body.slug ?? undefined,
        ...scheduleOf({ publish_at, expires_at }),
        password_hash: password == null ? password : await readerPasswords.hash(password),
      }
      // Everyone whom a wider access or another time lets in begins to see it.
      const isOtherTime = publish_at !== undefined || expires_at !== undefined
      if (isOtherTime || password === null || (access != null && access !== 'restricted'))
        await door.demandRelease(request)
      const updated = await publications.update(workspaceId, slug, change)
      if (isOtherTime || password !== undefined || access != null) await endAddresses(deps, updated)
      return await door.json(updated)
    },
  )
}

/** Ends what readers hold of a publication: addresses, on every instance, and requests that wait for a page. */
async function endAddresses({ deliveredFiles, versionChanges }: LibraryDeps, { id, version_id }: Publication) {
  await deliveredFiles.announceChange(id)
  versionChanges.announce(version_id, undefined)
}

/** DELETE /publications/:slug */
function deletePublication(app: HttpServer, door: PublicationDoor, deps: LibraryDeps) {
  const { publications, deliveredFiles, deletionWorker } = deps
  app.delete(
    door.publicationPath,
    {
      schema: {
        ...operation(door, 'deletePublication', {
          owner: {
            summary: 'Delete a publication',
            description: `Permanently deletes a publication with its files and images. Only the same workspace can use its slugs
again.`,
          },
          operator: {
            summary: 'Delete a publication by its id',
            description:
              'Puts a publication with its files, images, reading figures and reader links into the bin, from which it can be restored for `BIN_DAYS`; readers and programs get 404 at once. Without a bin, deletes it for good.',
          },
        }),
        problems: [publicationNotFound],
        response: { 204: noContent('The publication is deleted.') },
      },
    },
    async (request, reply) => {
      const { workspaceId, slug } = await door.find(request)
      const { toBin } = door
      await deliveredFiles.announceChange(await publications.delete(workspaceId, slug, { toBin }))
      // The files of what is deleted for good are removed in the background.
      deletionWorker.wake()
      return reply.code(204).send()
    },
  )
}

/** POST /publications/:slug/unpublish */
function unpublish(app: HttpServer, door: PublicationDoor, deps: LibraryDeps) {
  const { publications } = deps
  app.post(
    `${door.publicationPath}/unpublish`,
    {
      schema: {
        ...operation(door, 'unpublishPublication', {
          owner: {
            summary: 'Unpublish a publication',
            description: `Readers get 410 from now on: on its public page, in this API, and at every address of its PDF and its images
that was issued. Its workspace still lists and changes it. Nothing changes if it is already unpublished, or a draft.`,
          },
          operator: {
            summary: 'Unpublish a publication by its id',
            description:
              'Readers get 410 from now on, on the public page and at every address of its files that was issued.',
          },
        }),
        problems: [publicationNotFound],
        response: { 200: door.Publication },
      },
    },
    async (request) => {
      const { workspaceId, slug } = await door.find(request)
      const unpublished = await publications.setPublished(workspaceId, slug, false)
      await endAddresses(deps, unpublished)
      return await door.json(unpublished)
    },
  )
}

/** POST /publications/:slug/publish */
function publish(app: HttpServer, door: PublicationDoor, { publications }: LibraryDeps) {
  app.post(
    `${door.publicationPath}/publish`,
    {
      schema: {
        ...operation(door, 'publishPublication', {
          owner: {
            summary: 'Publish a draft, or an unpublished publication again',
            description: `Makes a publication available to its readers. After it was unpublished, its PDF and its images get new addresses; the
old ones never work again. Nothing changes if it is published.`,
          },
          operator: {
            summary: 'Publish a draft, or an unpublished publication again, by its id',
            description: 'After it was unpublished, its files get new addresses; the old ones never work again.',
          },
        }),
        problems: [publicationNotFound],
        response: { 200: door.Publication },
      },
    },
    async (request) => {
      const { workspaceId, slug } = await door.find(request)
      return await door.json(await publications.setPublished(workspaceId, slug, true))
    },
  )
}

/** PUT /publications/:slug/file */
function replaceFile(app: HttpServer, door: PublicationDoor, deps: LibraryDeps) {
  const { publications, prepareFile, renderQueue } = deps
  app.put(
    `${door.publicationPath}/file`,
    {
      schema: {
        ...operation(door, 'replacePublicationFile', {
          owner: {
            summary: 'Replace the file of a publication',
            description: `Replaces the file by a new upload. The publication is \`processing\` again, and its addresses lead to the new
file at once. The public page shows the old file until the new one is \`ready\`; addresses of the old file and of its images
work until a day after that.`,
          },
          operator: {
            summary: 'Replace the file of a publication by its id',
            description:
              'With a new upload to its workspace. Readers see the file before until the new one is `ready`.',
          },
        }),
        body: FileReplace,
        problems: [publicationNotFound, ...FILE_PROBLEMS],
        response: { 200: door.Publication },
      },
    },
    async (request) => {
      const { workspaceId, slug } = await door.find(request)
      const current = await publications.getOwned(workspaceId, slug)
      // The new file is opened before anything is changed.
      const file = await prepareFile(workspaceId, request.body)
      const changed = await publications.replaceFile(workspaceId, current.slug, file)
      renderQueue.wake()
      return await door.json(changed)
    },
  )
}
