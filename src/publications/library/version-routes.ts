import Type, { type Static } from 'typebox'
import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import { nullable, nullableText } from '#platform/http/field-rules.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { publicationNotFound, versionIsInUse, versionNotFound } from '../model/errors.ts'
import { PUBLICATION_STATUSES } from '../model/fields.ts'
import type { Publication } from '../model/publication-rows.ts'
import { FileReplace } from '../model/publication-update-schemas.ts'
import type { ListedVersion } from '../model/publication-versions.ts'
import { count, moment, nullableMoment } from '../model/schemas.ts'
import { FILE_PROBLEMS } from './create-publication.ts'
import type { LibraryDeps } from './library-deps.ts'
import { belowPublication, type PublicationDoor } from './publication-doors.ts'

const VERSION_ID = '2b0d6c1e-8a0f-4b52-9f6e-6a1f6a3c1d70'

const file = {
  size: count('Bytes of the file.', 4_812_331),
  sha256: Type.String({ description: 'SHA-256 of the file.', examples: [`9f86d081884c7d65${'0'.repeat(48)}`] }),
  page_count: count('Pages of the file.', 32),
  file_title: nullableText({ description: 'The title that the file states; null for none.', examples: ['Report'] }),
}

const Version = Type.Object(
  {
    id: Type.String({ description: 'Identifies the version.', examples: [VERSION_ID] }),
    number: count('The latest has the highest, also one that was gone back to.', 2),
    is_latest: Type.Boolean({
      description: 'Whether the API describes it; readers see it once it is ready.',
      examples: [true],
    }),
    status: Type.Enum([...PUBLICATION_STATUSES], {
      description: 'Whether its pages are rendered.',
      examples: ['ready'],
    }),
    ...file,
    created_at: moment('Time at which the file came.'),
    replaced_at: nullableMoment('Time at which another version replaced it; null for the latest.'),
  },
  { title: 'Version' },
)
const VersionList = Type.Object(
  { versions: Type.Array(Version, { description: 'The latest first.' }) },
  { title: 'VersionList' },
)

const pageNumbers = (description: string) => Type.Array(Type.Integer({ examples: [3] }), { description })

const VersionChanges = Type.Object(
  {
    changed: pageNumbers('Pages that look different in the latest version.'),
    added: pageNumbers('Pages that only the latest version has.'),
    removed: pageNumbers('Pages that only this version has.'),
    pending: pageNumbers('Pages that both have, and that are not rendered in both yet.'),
  },
  { title: 'VersionChanges', description: 'Pages by number, compared with those of the latest version.' },
)

const ComparedFile = Type.Object(file, { title: 'ComparedFile' })
const FileComparison = Type.Object(
  {
    latest: ComparedFile,
    upload: ComparedFile,
    identical_version: nullable<number>('integer', {
      description: 'Number of the kept version that has the very same file; null for none.',
      examples: [null],
    }),
    resized: pageNumbers('Pages that both have, in another size or form.'),
  },
  { title: 'FileComparison' },
)

/** Registers the versions of a publication at the addresses of a door: listed, compared, gone back to, and deleted. */
export function versionRoutes(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  listVersions(app, door, deps)
  compareFile(app, door, deps)
  goBackAndDelete(app, door, deps)
}

/** Returns the common parts of all operations. */
function operations(door: PublicationDoor, deps: LibraryDeps) {
  return {
    ...belowPublication(door, deps, 'versions'),
    versionParams: Type.Object({
      ...door.publicationParams.properties,
      versionId: Type.String({ description: "The version's `id`.", examples: [VERSION_ID] }),
    }),
  }
}

function listVersions(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  const { publications, pages } = deps
  const { path, common, versionParams, find } = operations(door, deps)
  app.get(
    path,
    {
      schema: {
        operationId: door.operationId('listVersions'),
        summary: 'List the versions of a publication',
        description: 'The latest file, and the former ones that are kept (`VERSIONS_KEPT`).',
        ...common,
        problems: [publicationNotFound],
        response: { 200: VersionList },
      },
    },
    async (request) => {
      const publication = await find(request)
      const versions = await publications.versions(publication.id)
      return { versions: versions.map((version) => versionJson(version, publication)) }
    },
  )

  app.get(
    `${path}/:versionId/changes`,
    {
      schema: {
        operationId: door.operationId('getVersionChanges'),
        summary: 'Compare a version with the latest',
        description: 'Tells which pages look different, by their rendered images.',
        ...common,
        params: versionParams,
        problems: [publicationNotFound, versionNotFound],
        response: { 200: VersionChanges },
      },
    },
    async (request) => {
      const { id, version_id, page_count } = await find(request)
      const { versionId } = request.params as { versionId: string }
      const version = (await publications.versions(id)).find((one) => one.id === versionId)
      if (version === undefined) throw versionNotFound()
      const [before, after] = [await pages.imageHashes(versionId), await pages.imageHashes(version_id)]
      return changedPages({ count: version.page_count, hashes: before }, { count: page_count, hashes: after })
    },
  )
}

type ComparedPages = { count: number; hashes: ReadonlyMap<number, string | undefined> }

/** Compares pages of the same number. A page whose hash is not known counts as changed. */
function changedPages(before: ComparedPages, after: ComparedPages): Static<typeof VersionChanges> {
  const changes: Static<typeof VersionChanges> = { changed: [], added: [], removed: [], pending: [] }
  for (let page = 1; page <= Math.max(before.count, after.count); page++) {
    const [old, now] = [before.hashes.get(page), after.hashes.get(page)]
    if (page > before.count) changes.added.push(page)
    else if (page > after.count) changes.removed.push(page)
    else if (!before.hashes.has(page) || !after.hashes.has(page)) changes.pending.push(page)
    else if (old === undefined || old !== now) changes.changed.push(page)
  }
  return changes
}

function compareFile(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  const { publications, prepareFile } = deps
  const { common, find } = operations(door, deps)
  app.post(
    `${door.publicationPath}/file/comparison`,
    {
      schema: {
        operationId: door.operationId('checkPublicationFile'),
        summary: 'Compare an upload with the file of a publication',
        description: 'Opens the uploaded file as a replacement would, and changes nothing.',
        ...common,
        body: FileReplace,
        problems: [publicationNotFound, ...FILE_PROBLEMS],
        response: { 200: FileComparison },
      },
    },
    async (request) => {
      const publication = await find(request)
      const { facts, size, sha256 } = await prepareFile(publication.workspace_id, request.body)
      const versions = await publications.versions(publication.id)
      const latest = await publications.facts(publication.version_id)
      return {
        latest: fileJson(publication, latest),
        upload: fileJson({ size, sha256, page_count: facts.pageCount }, facts),
        identical_version: versions.find((version) => version.sha256 === sha256)?.number ?? null,
        resized: resizedPages(latest, facts),
      }
    },
  )
}

/** Sizes of pages in points that differ by less are the same: programs round them. */
const SAME_SIZE_POINTS = 1

function resizedPages({ pages: before = [] }: Partial<DocumentFacts>, { pages: after }: DocumentFacts): number[] {
  return after.flatMap(({ widthPt, heightPt }, at) => {
    const old = before[at]
    if (old === undefined) return []
    const isSame =
      Math.abs(old.widthPt - widthPt) < SAME_SIZE_POINTS && Math.abs(old.heightPt - heightPt) < SAME_SIZE_POINTS
    return isSame ? [] : [at + 1]
  })
}

function goBackAndDelete(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  const { publications, renderQueue, deliveredFiles, deletionWorker } = deps
  const { path, common, versionParams, find } = operations(door, deps)
  app.post(
    `${path}/:versionId/restore`,
    {
      schema: {
        operationId: door.operationId('publishVersion'),
        summary: 'Go back to a former version',
        description: `Makes a former version the latest, under the next number. Its images are still there, so that readers see it at
once. Addresses of pages stay; the version before is kept as a former one.`,
        ...common,
        params: versionParams,
        problems: [publicationNotFound, versionNotFound],
        response: { 200: door.Publication },
      },
    },
    async (request) => {
      const { workspaceId, slug } = await door.find(request)
      const { versionId } = request.params as { versionId: string }
      const changed = await publications.goBack(workspaceId, slug, versionId)
      renderQueue.wake()
      return await door.json(changed)
    },
  )

  app.delete(
    `${path}/:versionId`,
    {
      schema: {
        operationId: door.operationId('deleteVersion'),
        summary: 'Delete a former version',
        description: 'Removes its file and its images for good, and ends their addresses.',
        ...common,
        params: versionParams,
        problems: [publicationNotFound, versionNotFound, versionIsInUse],
        response: { 204: noContent('The version is deleted.') },
      },
    },
    async (request, reply) => {
      const { id, workspace_id: workspaceId, slug } = await find(request)
      await publications.discardVersion(workspaceId, slug, (request.params as { versionId: string }).versionId)
      await deliveredFiles.announceChange(id)
      deletionWorker.wake()
      return reply.code(204).send()
    },
  )
}

function versionJson(version: ListedVersion, { version_id }: Publication): Static<typeof Version> {
  const { id, number, status, created_at, replaced_at } = version
  return {
    id,
    number,
    is_latest: id === version_id,
    status,
    ...fileJson(version, JSON.parse(version.facts) as DocumentFacts),
    created_at: formatDateTime(created_at),
    replaced_at: momentOrNull(replaced_at),
  }
}

function fileJson(
  { size, sha256, page_count }: Pick<ListedVersion, 'size' | 'sha256' | 'page_count'>,
  { metadata }: Partial<DocumentFacts>,
) {
  return { size, sha256, page_count, file_title: metadata?.title ?? null }
}
