import type { FastifyRequest } from 'fastify'
import { payloadTooLarge } from '#platform/basics/errors.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { readRequestBody } from '#platform/http/request-body.ts'
import type { ResolveName } from '#platform/webhooks/address-policy.ts'
import type { Addresses } from '../model/config.ts'
import {
  domainIsOurs,
  domainIsTaken,
  faceNotFound,
  logoRefused,
  notLogoType,
  shelfSlugIsTaken,
  workspaceNotFound,
} from '../model/errors.ts'
import type { FacesStore } from '../model/faces-store.ts'
import { parseWorkspaceName } from '../model/fields.ts'
import { WorkspaceParams } from '../model/schemas.ts'
import { publicSite, shelfAddress, siteOf } from '../model/sites.ts'
import type { WorkspacesStore } from '../model/workspaces-store.ts'
import { logoPath } from '../public-pages/face-view.ts'
import { type LogoReader, MAX_LOGO_BYTES } from './logo-reader.ts'
import { domainState, requireForeignDomain } from './own-hosts.ts'
import { DomainCheck, DomainUpdate, FaceAnswer, FaceUpdate, LogoFile, ShelfOrder, WorkspaceFace } from './schemas.ts'

/** Parts that the routes of public faces are built from. */
type FaceDeps = {
  faces: FacesStore
  workspaces: WorkspacesStore
  logoReader: LogoReader
  addresses: Addresses
  resolveName: ResolveName
  now: () => number
}

const FACE_PATH = '/operator/workspaces/:id/face'
const LOGO_PATH = `${FACE_PATH}/logo`
const COMMON = { tags: ['Workspaces'], params: WorkspaceParams }

/** GET, PUT and DELETE /operator/workspaces/:id/face, PUT …/face/order and …/face/domain, DELETE …/face/logo. */
export function faceRoutes(app: HttpServer, deps: FaceDeps) {
  const { faces, workspaces, now } = deps

  app.get(
    FACE_PATH,
    {
      schema: {
        ...COMMON,
        operationId: 'operatorGetFace',
        summary: 'Get the public face of a workspace',
        problems: [workspaceNotFound],
        response: { 200: FaceAnswer },
      },
    },
    async ({ params }) => ({ face: (await faceJson(deps, params.id)) ?? null }),
  )

  app.put(
    FACE_PATH,
    {
      schema: {
        ...COMMON,
        operationId: 'operatorUpdateFace',
        summary: 'Set the public face of a workspace',
        description:
          'Gives the workspace a shelf: a page with its public publications. Pages of its publications carry its name and colour from then on.',
        body: FaceUpdate,
        problems: [workspaceNotFound, shelfSlugIsTaken],
        response: { 200: WorkspaceFace },
      },
    },
    async ({ params, body }) => {
      if ((await workspaces.find(params.id)) === undefined) throw workspaceNotFound()
      const { slug, name, about, website, contact, license, accent_color } = body
      const fields = {
        slug,
        name: parseWorkspaceName(name),
        about: about?.trim() || null,
        website: website ?? null,
        contact: contact?.trim() || null,
        license: license?.trim() || null,
        accent_color: accent_color?.toLowerCase() ?? null,
      }
      await faces.save(params.id, fields, now())
      return await requireFace(deps, params.id)
    },
  )

  shelfOrderRoute(app, deps)
  domainRoute(app, deps)
  removalRoutes(app, deps)
}

/** DELETE /operator/workspaces/:id/face and …/face/logo */
function removalRoutes(app: HttpServer, deps: FaceDeps) {
  const { faces, now } = deps
  app.delete(
    FACE_PATH,
    {
      schema: {
        ...COMMON,
        operationId: 'operatorDeleteFace',
        summary: 'Remove the public face of a workspace',
        description: 'Its shelf and its logo are gone; its slug stays taken. Publications stay as they are.',
        problems: [workspaceNotFound],
        response: { 204: noContent('There is no face any more.') },
      },
    },
    async ({ params }, reply) => {
      await faces.remove(params.id)
      return reply.code(204).send()
    },
  )

  app.delete(
    LOGO_PATH,
    {
      schema: {
        ...COMMON,
        operationId: 'operatorDeleteLogo',
        summary: 'Remove the logo of a workspace',
        problems: [workspaceNotFound, faceNotFound],
        response: { 200: WorkspaceFace },
      },
    },
    async ({ params }) => {
      await faces.setLogo(params.id, undefined, now())
      return await requireFace(deps, params.id)
    },
  )
}

/** PUT /operator/workspaces/:id/face/order */
function shelfOrderRoute(app: HttpServer, deps: FaceDeps) {
  app.put(
    `${FACE_PATH}/order`,
    {
      schema: {
        ...COMMON,
        operationId: 'operatorUpdateShelfOrder',
        summary: 'Set the order of a shelf',
        description: 'Publications that come first on the shelf; none for newest first.',
        body: ShelfOrder,
        problems: [workspaceNotFound, faceNotFound],
        response: { 200: WorkspaceFace },
      },
    },
    async ({ params, body }) => {
      await deps.faces.setOrder(params.id, body.publication_ids)
      return await requireFace(deps, params.id)
    },
  )
}

/** PUT and GET /operator/workspaces/:id/face/domain */
function domainRoute(app: HttpServer, deps: FaceDeps) {
  app.put(
    `${FACE_PATH}/domain`,
    {
      schema: {
        ...COMMON,
        operationId: 'operatorUpdateDomain',
        summary: 'Set the host name of a workspace',
        description:
          'Under its own host name, a workspace shows its shelf at `/` and its publications at `/<slug>`. The workspace must have a public face.',
        body: DomainUpdate,
        problems: [workspaceNotFound, faceNotFound, domainIsTaken, domainIsOurs],
        response: { 200: WorkspaceFace },
      },
    },
    async ({ params, body }) => {
      await requireFace(deps, params.id)
      const domain = body.domain === null ? undefined : requireForeignDomain(body.domain, deps.addresses)
      await deps.faces.setDomain(params.id, domain)
      return await requireFace(deps, params.id)
    },
  )

  app.get(
    `${FACE_PATH}/domain`,
    {
      schema: {
        ...COMMON,
        operationId: 'operatorCheckDomain',
        summary: 'Check the DNS of the host name of a workspace',
        description:
          'Compares the addresses of the host name with those of the public site. Asks DNS alone: whether the proxy in front accepts the name and has a certificate for it, a browser tells.',
        problems: [workspaceNotFound, faceNotFound],
        response: { 200: DomainCheck },
      },
    },
    async ({ params }, reply) => {
      const { domain } = await requireFace(deps, params.id)
      reply.header('cache-control', 'no-store')
      const server_name = new URL(deps.addresses.public()).hostname
      return { domain, server_name, state: domain === null ? null : await domainState(domain, deps) }
    },
  )
}

const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** PUT /operator/workspaces/:id/face/logo. In a scope of its own, because it takes files. */
export function logoRoute(app: HttpServer, deps: FaceDeps & { bodyBudget: BodyBudget }) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(LOGO_TYPES, async (request: FastifyRequest) =>
    readRequestBody(request, MAX_LOGO_BYTES, deps.bodyBudget),
  )
  app.put(
    LOGO_PATH,
    {
      schema: {
        ...COMMON,
        operationId: 'operatorUploadLogo',
        summary: 'Set the logo of a workspace',
        description:
          'The image is decoded and encoded anew, at most 640 by 192 pixels large. The workspace must have a public face.',
        consumes: LOGO_TYPES,
        body: LogoFile,
        problems: [workspaceNotFound, faceNotFound, payloadTooLarge, notLogoType, logoRefused],
        response: { 200: WorkspaceFace },
      },
      // The thread that reads the file checks it.
      validatorCompiler: ({ schema, httpPart, ...rest }) =>
        httpPart === 'body' ? () => true : app.validatorCompiler!({ schema, httpPart, ...rest }),
    },
    async ({ params, body }) => {
      if (!Buffer.isBuffer(body)) throw notLogoType()
      await requireFace(deps, params.id)
      const logo = await deps.logoReader.read(body)
      await deps.faces.setLogo(params.id, logo, deps.now())
      return await requireFace(deps, params.id)
    },
  )
}

/** Returns the face of a workspace for operators. @throws faceNotFound without one */
async function requireFace(deps: FaceDeps, workspaceId: string): Promise<WorkspaceFace> {
  const face = await faceJson(deps, workspaceId)
  if (face === undefined) throw faceNotFound()
  return face
}

async function faceJson({ faces, addresses }: FaceDeps, workspaceId: string): Promise<WorkspaceFace | undefined> {
  const face = await faces.find(workspaceId)
  if (face === undefined) return undefined
  const { slug, name, about, website, contact, license, accent_color, logo_sha256, domain } = face
  const site = publicSite(addresses)
  return {
    slug,
    name,
    about,
    website,
    contact: contact ?? null,
    license: license ?? null,
    accent_color,
    logo_url: logo_sha256 === null ? null : `${site.origin}${logoPath(site, slug, logo_sha256)}`,
    domain,
    shelf_url: shelfAddress(siteOf(addresses, domain), slug),
    order: await faces.order(workspaceId),
  }
}
