import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { ErrorDefinition } from '#platform/basics/errors.ts'
import { operatorOperation } from '#platform/credentials/operator-rule.ts'
import type { DamageRow } from '#platform/doctor/inspection-store.ts'
import { workClient } from '#platform/http/client.ts'
import { streamed } from '#platform/http/http-server.ts'
import type { PublicationViewDoor } from '../delivery/get-publication.ts'
import { UploadTicketCreate } from '../documents/schemas.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { publicationNotFound, workspaceNotFound } from '../model/errors.ts'
import { FALLBACK_SIZE, imageSize, isImageKey, PAGE_WIDTH } from '../model/image-forms.ts'
import { requirePublication } from '../model/library-store.ts'
import { Publication, PublicationList } from '../model/publication-answer-schemas.ts'
import { publicationJson } from '../model/publication-json.ts'
import type { Publication as PublicationRow } from '../model/publication-rows.ts'
import { PublicationCreate, PublicationUpdate } from '../model/publication-update-schemas.ts'
import { PublicationParams, SlugParams, WorkspaceParams } from '../model/schemas.ts'
import { pageAddress, type Site, siteOf } from '../model/sites.ts'
import { fileStatements, NO_STATEMENTS, shownStatements, statementSources } from '../model/statements.ts'
import { oembed } from '../public-pages/oembed.ts'
import type { LibraryDeps } from './library-deps.ts'
import { LibraryPage, LibraryQuery, libraryEntry } from './library-schemas.ts'
import { searchPublications, streamPublications } from './list-publications.ts'
import { forWorkspace } from './operator-workspaces-store.ts'
import {
  OperatorPublication,
  OperatorPublicationCreate,
  OperatorPublicationUpdate,
  OperatorUploadTicketCreate,
} from './publication-schemas.ts'

/**
 * An audience of the operations on publications, which are written once: programs with the key of a workspace, or
 * signed-in operators. A door has the addresses, the schemas and the form of answers of its audience, and finds the
 * workspace and the publication of a request.
 */
export type PublicationDoor = {
  uploadUrlPath: string
  publicationsPath: string
  publicationPath: string
  collectionsPath: string
  /** Makes the name of an operation from `createPublication`. */
  operationId(name: string): string
  /** Chooses the texts of an operation. */
  texts<Texts>(texts: { owner: Texts; operator: Texts }): Texts
  uploads: { tags: string[]; permission?: string }
  publications: { tags: string[]; permission?: string }
  /** Parameters of addresses that name a workspace, and the errors of `forWorkspace`. */
  workspaceParams: { params?: typeof WorkspaceParams }
  workspaceProblems: readonly ErrorDefinition[]
  publicationParams: typeof PublicationParams | typeof SlugParams
  UploadTicketCreate: typeof UploadTicketCreate | typeof OperatorUploadTicketCreate
  PublicationCreate: typeof PublicationCreate | typeof OperatorPublicationCreate
  PublicationUpdate: typeof PublicationUpdate | typeof OperatorPublicationUpdate
  Publication: typeof Publication | typeof OperatorPublication
  /** Set if creations are remembered under the `Idempotency-Key` of their request. */
  idempotent: { idempotent?: true }
  /** Runs work for the workspace of a request. @throws workspaceNotFound, and errors of the work */
  forWorkspace<Result>(request: FastifyRequest, work: (workspaceId: string) => Promise<Result>): Promise<Result>
  /** Finds the publication that a request names. @throws publicationNotFound */
  find(request: FastifyRequest): { workspaceId: string; slug: string } | Promise<{ workspaceId: string; slug: string }>
  /** Set if deleted things go into the bin. */
  toBin: boolean
  /** Refuses callers who may change publications, but not show them to readers. */
  demandRelease(request: FastifyRequest): Promise<void>
  /** Query and answer of the list of a workspace's publications, and the permission that it takes. */
  listSchema: {
    permission?: string
    querystring?: typeof LibraryQuery
    response: { 200: TSchema }
  }
  /** Lists publications: all of them for programs, searched and in pages for operators. */
  list(workspaceId: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** Represents a publication. @throws publicationNotFound if it is deleted */
  json(publication: PublicationRow): Promise<PublicationJson | OperatorPublication>
  /** Represents a publication that was created, given how its owner sees it. */
  createdJson(created: PublicationJson): Promise<PublicationJson | OperatorPublication>
}

/**
 * Returns the common parts of operations on what belongs to a publication, such as its links: their path below it, and
 * how they find it.
 */
export function belowPublication(door: PublicationDoor, { publications }: LibraryDeps, name: string) {
  return {
    path: `${door.publicationPath}/${name}`,
    common: { ...door.publications, params: door.publicationParams },
    /** @throws publicationNotFound */
    async find(request: FastifyRequest): Promise<PublicationRow> {
      const { workspaceId, slug } = await door.find(request)
      return await publications.getOwned(workspaceId, slug)
    },
  }
}

type PublicationJson = ReturnType<typeof publicationJson>

/** Returns the door for programs with the key of a workspace, which name publications by slug. */
export function ownerDoor(deps: LibraryDeps): PublicationDoor {
  return {
    uploadUrlPath: '/publications/upload-url',
    publicationsPath: '/publications',
    publicationPath: '/publications/:slug',
    collectionsPath: '/collections',
    operationId: (name) => name,
    texts: ({ owner }) => owner,
    uploads: { tags: ['Uploads'], permission: 'publish' },
    publications: { tags: ['Publications'], permission: 'publish' },
    workspaceParams: {},
    workspaceProblems: [],
    publicationParams: SlugParams,
    UploadTicketCreate,
    PublicationCreate,
    PublicationUpdate,
    Publication,
    idempotent: { idempotent: true },
    forWorkspace: ({ workspaceId }, work) => work(workspaceId),
    find: ({ workspaceId, params }) => ({ workspaceId, slug: (params as { slug: string }).slug }),
    toBin: false,
    async demandRelease() {},
    listSchema: { permission: 'read', response: { 200: streamed(PublicationList) } },
    list: (workspaceId, _request, reply) => streamPublications(deps, workspaceId, reply),
    json: (publication) => ownerJson(deps, publication),
    createdJson: async (created) => ({ ...LATER_MEMBERS, ...created }),
  }
}

/** Returns the door for signed-in operators, who name publications of any workspace by id. */
export function operatorDoor(deps: LibraryDeps): PublicationDoor & PublicationViewDoor {
  return {
    audience: 'operator',
    uploadUrlPath: '/operator/workspaces/:id/upload-url',
    publicationsPath: '/operator/workspaces/:id/publications',
    publicationPath: '/operator/publications/:id',
    collectionsPath: '/operator/workspaces/:id/collections',
    operationId: operatorOperation,
    texts: ({ operator }) => operator,
    uploads: { tags: ['Library'] },
    publications: { tags: ['Library'] },
    workspaceParams: { params: WorkspaceParams },
    workspaceProblems: [workspaceNotFound],
    publicationParams: PublicationParams,
    UploadTicketCreate: OperatorUploadTicketCreate,
    PublicationCreate: OperatorPublicationCreate,
    PublicationUpdate: OperatorPublicationUpdate,
    Publication: OperatorPublication,
    idempotent: {},
    forWorkspace({ params }, work) {
      const { id } = params as WorkspaceParams
      return forWorkspace(deps.workspaces, id, () => work(id))
    },
    find: ({ params }) => requirePublication(deps.library, (params as PublicationParams).id),
    toBin: deps.bin.binDays > 0,
    demandRelease: (request) => request.demandEffect('releases'),
    listSchema: { querystring: LibraryQuery, response: { 200: LibraryPage } },
    list: async (workspaceId, request, reply) =>
      reply.send(
        await searchPublications(deps, workspaceId, request.query as LibraryQuery, workClient(request, reply)),
      ),
    show: async ({ params }, reply) =>
      reply.send(await operatorPublicationJson(deps, (params as PublicationParams).id)),
    json: ({ id }) => operatorPublicationJson(deps, id),
    createdJson: ({ id }) => operatorPublicationJson(deps, id),
  }
}

/** Members that the answer to a creation lacks if an earlier version stored it under its `Idempotency-Key`. */
const LATER_MEMBERS = {
  pages_recognized: 0,
  access: 'public' as const,
  visibility: 'visible' as const,
  publish_at: null,
  expires_at: null,
  has_password: false,
  allow_download: true,
  first_view: null,
  recognize_text: true,
  collection_id: null,
  ...statementSources(NO_STATEMENTS),
  detected_language: null,
  file_statements: fileStatements({}),
}

/** Reads the missing parts of a publication and represents it for its owner. */
async function ownerJson({ publications, pages, addresses, now }: LibraryDeps, publication: PublicationRow) {
  const facts = await publications.facts(publication.version_id)
  const failedPages = await pages.listFailed(publication.version_id)
  return publicationJson(publication, { facts, failedPages }, addresses, now())
}

/** Returns a publication for operators. @throws publicationNotFound */
async function operatorPublicationJson(deps: LibraryDeps, id: string): Promise<OperatorPublication> {
  const { library, publications, figures, addresses, inspection, now } = deps
  const publication = await library.find(id)
  if (publication === undefined) throw publicationNotFound()
  const facts: Partial<DocumentFacts> = await publications.facts(publication.version_id)
  const pages = await library.pageStates(publication.version_id)
  const views = await figures.totalViews([id])
  return {
    ...libraryEntry(publication, views.get(id) ?? 0, addresses, now()),
    workspace: { id: publication.workspace_id, name: publication.workspace_name },
    former_slugs: await library.formerSlugs(publication),
    failed_pages: pages.flatMap(({ page, failedCode, failedReason }) =>
      failedReason === null ? [] : { page, code: failedCode ?? 'crashed', reason: failedReason },
    ),
    pages_without_text: pages.filter(({ textLength }) => textLength === 0).map(({ page }) => page),
    ...shownStatements(publication, facts),
    stated: { language: publication.language, author: publication.author, description: publication.description },
    ...statementSources(publication),
    detected_language: facts.detectedLanguage ?? null,
    file_statements: fileStatements(facts),
    is_tagged: facts.isTagged ?? false,
    findings: facts.findings ?? [],
    outline_count: facts.outline?.length ?? 0,
    version: publication.version,
    sha256: publication.sha256,
    identical_to: await library.identical(publication),
    damage: damageOf(await inspection.store.ofSubject(id)),
    ...embedding(publication, facts, siteOf(addresses, publication.domain)),
  }
}

function damageOf(damages: readonly DamageRow[]): OperatorPublication['damage'] {
  if (damages.length === 0) return null
  const images = damages.filter(({ key }) => isImageKey(key))
  const document = damages.find(({ key }) => !isImageKey(key))
  return { document: document?.problem ?? null, images: images.length }
}

/** Returns the same frame as oEmbed. */
function embedding({ title, slug }: PublicationRow, facts: Partial<DocumentFacts>, site: Site) {
  const embedAddress = `${pageAddress(site, slug)}/embed`
  const thumbnail = { address: '', ...imageSize(facts.pages?.[0] ?? FALLBACK_SIZE, PAGE_WIDTH) }
  const { html } = oembed({ title, embedAddress, siteAddress: site.origin, thumbnail }, {})
  return { embed_url: embedAddress, embed_html: String(html) }
}
