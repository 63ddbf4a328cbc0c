import Type, { type Static } from 'typebox'
import { formatDateTime } from '#platform/basics/time.ts'
import { nullableText, ruledBy } from '#platform/http/field-rules.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { collectionNotFound, collectionSlugIsTaken, tooManyCollections } from '../model/errors.ts'
import { MAX_WORKSPACE_NAME_LENGTH, parseWorkspaceName, SLUG_PATTERN, workspaceNameProblem } from '../model/fields.ts'
import { COLLECTION_ID, count, moment } from '../model/schemas.ts'
import { collectionAddress, siteOf } from '../model/sites.ts'
import { MAX_SLUG_LENGTH } from '../model/slug.ts'
import type { LibraryDeps } from './library-deps.ts'
import type { PublicationDoor } from './publication-doors.ts'

const SLUG = 'annual-reports'

const Collection = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [COLLECTION_ID] }),
    name: Type.String({ examples: ['Annual reports'] }),
    slug: Type.String({ description: 'Part of its address on the shelf.', examples: [SLUG] }),
    url: nullableText({
      description:
        'Its address on the shelf; null if the workspace has no public face. It answers 404 while none of its publications is on the shelf.',
      examples: [`https://www.example.org/w/university-of-lausanne/c/${SLUG}`],
    }),
    publications_count: count('Number of its publications.', 12),
    shelved_count: count('Number of its publications that the shelf shows: those that everyone reads.', 9),
    created_at: moment('Time of creation.'),
    updated_at: moment('Time of the last change of its name, slug or place.'),
  },
  { title: 'Collection' },
)
type Collection = Static<typeof Collection>

const CollectionList = Type.Object(
  { collections: Type.Array(Collection, { description: 'In the order of the shelf.' }) },
  { title: 'CollectionList' },
)

const name = Type.String({
  ...ruledBy(workspaceNameProblem),
  description: `Name for readers, of 1 to ${MAX_WORKSPACE_NAME_LENGTH} characters.`,
  examples: ['Annual reports'],
})
const slug = (description: string) =>
  Type.Optional(Type.String({ pattern: SLUG_PATTERN, maxLength: MAX_SLUG_LENGTH, description, examples: [SLUG] }))

const CollectionCreate = Type.Object(
  { name, slug: slug('Part of its address on the shelf; by default it is derived from the name.') },
  { title: 'CollectionCreate' },
)

const CollectionUpdate = Type.Object(
  {
    name: Type.Optional(name),
    slug: slug('Another part of its address; former ones still lead to it.'),
    position: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000,
        description: 'Its place among the collections of the workspace; 0 is the first.',
        examples: [0],
      }),
    ),
  },
  { title: 'CollectionUpdate', description: 'Absent members stay as they are.' },
)

/** Registers the collections of a workspace at the addresses of a door: `GET`, `POST`, `PATCH` and `DELETE`. */
export function collectionRoutes(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  listAndCreate(app, door, deps)
  changeAndDelete(app, door, deps)
}

function listAndCreate(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  const { tags, permission } = door.publications
  app.get(
    door.collectionsPath,
    {
      schema: {
        operationId: door.operationId('listCollections'),
        summary: 'List the collections of a workspace',
        description: `A collection groups publications of the workspace, on its shelf and in its library. A publication is in one at most,
which its \`collection_id\` names. Readers see a collection only while the shelf shows one of its publications.`,
        tags,
        ...(permission !== undefined && { permission: 'read' }),
        ...door.workspaceParams,
        problems: [...door.workspaceProblems],
        response: { 200: CollectionList },
      },
    },
    async (request) => ({
      collections: await door.forWorkspace(request, (workspaceId) => collectionsJson(deps, workspaceId)),
    }),
  )

  app.post(
    door.collectionsPath,
    {
      schema: {
        operationId: door.operationId('createCollection'),
        summary: 'Create a collection',
        description: 'Creates an empty collection after all others; at most 100 in a workspace.',
        ...door.publications,
        ...door.workspaceParams,
        body: CollectionCreate,
        problems: [...door.workspaceProblems, tooManyCollections, collectionSlugIsTaken],
        response: { 201: Collection },
      },
    },
    async (request, reply) => {
      const { name, slug } = request.body
      const created = await door.forWorkspace(request, async (workspaceId) => {
        const id = await deps.collections.create(workspaceId, { name: parseWorkspaceName(name), slug })
        return await requireCollection(deps, workspaceId, id)
      })
      return reply.code(201).send(created)
    },
  )
}

function changeAndDelete(app: HttpServer, door: PublicationDoor, deps: LibraryDeps): void {
  const { collections } = deps
  const path = `${door.collectionsPath}/:collectionId`
  const params = Type.Object({
    ...door.workspaceParams.params?.properties,
    collectionId: Type.String({ description: "The collection's `id`.", examples: [COLLECTION_ID] }),
  })
  const common = { ...door.publications, params, problems: [...door.workspaceProblems, collectionNotFound] }

  app.patch(
    path,
    {
      schema: {
        operationId: door.operationId('updateCollection'),
        summary: 'Rename or move a collection',
        description: 'A new name does not change the slug. Former slugs still lead to the collection.',
        ...common,
        body: CollectionUpdate,
        problems: [...common.problems, collectionSlugIsTaken],
        response: { 200: Collection },
      },
    },
    async (request) => {
      const { name, ...change } = request.body
      const { collectionId: id } = request.params
      return await door.forWorkspace(request, async (workspaceId) => {
        await collections.change(workspaceId, id, {
          ...change,
          ...(name !== undefined && { name: parseWorkspaceName(name) }),
        })
        return await requireCollection(deps, workspaceId, id)
      })
    },
  )

  app.delete(
    path,
    {
      schema: {
        operationId: door.operationId('deleteCollection'),
        summary: 'Delete a collection',
        description: 'Its publications stay, in no collection.',
        ...common,
        response: { 204: noContent('The collection is deleted.') },
      },
    },
    async (request, reply) => {
      const { collectionId } = request.params
      await door.forWorkspace(request, (workspaceId) => collections.delete(workspaceId, collectionId))
      return reply.code(204).send()
    },
  )
}

async function requireCollection(deps: LibraryDeps, workspaceId: string, id: string): Promise<Collection> {
  const found = (await collectionsJson(deps, workspaceId)).find((one) => one.id === id)
  if (found === undefined) throw collectionNotFound()
  return found
}

async function collectionsJson(
  { collections, faces, addresses }: LibraryDeps,
  workspaceId: string,
): Promise<Collection[]> {
  const [rows, face] = await Promise.all([collections.list(workspaceId), faces.find(workspaceId)])
  return rows.map(({ id, name, slug, publications, shelved, created_at, updated_at }) => ({
    id,
    name,
    slug,
    url: face === undefined ? null : collectionAddress(siteOf(addresses, face.domain), face.slug, slug),
    publications_count: publications,
    shelved_count: shelved,
    created_at: formatDateTime(created_at),
    updated_at: formatDateTime(updated_at),
  }))
}
