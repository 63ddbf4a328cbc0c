import type { FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { type HttpServer, noContent } from '../http/http-server.ts'
import type { Credentials, IssuedCredential } from './credentials.ts'
import type { CredentialRow, OwnColumns } from './credentials-store.ts'

type Operation = 'list' | 'create' | 'get' | 'rotate' | 'revoke'

/** Addresses and texts of the credentials of one kind: the tokens of an event, or the keys of a workspace. */
export type CredentialScope<Own extends OwnColumns> = {
  /** Address of the list: `/operator/events/:id/tokens`. */
  path: string
  /** Address that replaces the first credential. */
  rotatePath: string
  /** The parameter of one credential: `tokenId`. */
  idParam: string
  /** The parameters of the owner, and of one credential. */
  params: { owner: TObject; credential: TObject }
  tags: string[]
  operationIds: Record<Operation, string>
  /** Names in sentences, such as `an app token`, `token` and `an event`. */
  names: { credential: string; noun: string; owner: string }
  summaries: { rotate: string }
  descriptions: { create: string; rotate: string }
  schemas: { List: TSchema; Shown: TSchema; Create: TSchema; Rotate: TSchema; Rotated: TSchema }
  /** Demands the further conditions of a credential that is shown in plain text, beside the rule of the route. */
  demandToShow?(request: FastifyRequest, row: CredentialRow<Own>): Promise<void>
  /** Represents a list. */
  listJson(rows: readonly CredentialRow<Own>[]): object
  /** Represents a credential with its text. */
  shownJson(row: CredentialRow<Own>, text: string | undefined): object
  /** Represents the new first credential of an owner. */
  rotatedJson(issued: IssuedCredential<Own>): object | Promise<object>
  /** Creates the credential that a body describes. @throws `ownerNotFound`, invalidFields */
  create(ownerId: string, body: unknown): Promise<IssuedCredential<Own>>
}

/** GET /operator/events/:id/tokens, and the keys of a workspace */
export function listCredentials<Own extends OwnColumns>(
  app: HttpServer,
  scope: CredentialScope<Own>,
  credentials: Credentials<Own>,
) {
  const { credential, noun, owner } = scope.names
  app.get(
    scope.path,
    {
      schema: {
        operationId: scope.operationIds.list,
        summary: `List ${owner}'s ${credential.replace(/^an /, '')}s`,
        description: `Returns the valid ${noun}s, newest first. Each is masked except for its beginning and end.`,
        tags: scope.tags,
        params: scope.params.owner,
        problems: [credentials.kind.ownerNotFound],
        response: { 200: scope.schemas.List },
      },
    },
    async ({ params }) => scope.listJson(await credentials.list(ownerOf(params))),
  )
}

/** POST /operator/events/:id/tokens, and the keys of a workspace */
export function createCredential<Own extends OwnColumns>(
  app: HttpServer,
  scope: CredentialScope<Own>,
  credentials: Credentials<Own>,
) {
  app.post(
    scope.path,
    {
      schema: {
        operationId: scope.operationIds.create,
        summary: `Create ${scope.names.credential}`,
        description: scope.descriptions.create,
        tags: scope.tags,
        params: scope.params.owner,
        body: scope.schemas.Create,
        problems: [credentials.kind.ownerNotFound],
        response: { 201: scope.schemas.Shown },
      },
    },
    async ({ params, body }, reply) => {
      const { row, text } = await scope.create(ownerOf(params), body)
      return reply.code(201).send(scope.shownJson(row, text))
    },
  )
}

/** POST /operator/events/:id/tokens/rotate, and the first key of a workspace */
export function rotateCredential<Own extends OwnColumns>(
  app: HttpServer,
  scope: CredentialScope<Own>,
  credentials: Credentials<Own>,
) {
  app.post(
    scope.rotatePath,
    {
      schema: {
        operationId: scope.operationIds.rotate,
        summary: scope.summaries.rotate,
        description: scope.descriptions.rotate,
        tags: scope.tags,
        params: scope.params.owner,
        body: scope.schemas.Rotate,
        problems: [credentials.kind.ownerNotFound],
        response: { 201: scope.schemas.Rotated },
      },
    },
    async ({ params, body }, reply) => {
      const { keep_sec, label } = body as { keep_sec?: number | null; label?: string | null }
      const issued = await credentials.rotate(ownerOf(params), (keep_sec ?? 0) * 1000, label)
      return reply.code(201).send(await scope.rotatedJson(issued))
    },
  )
}

/** GET /operator/events/:id/tokens/:tokenId, and one key of a workspace */
export function getCredential<Own extends OwnColumns>(
  app: HttpServer,
  scope: CredentialScope<Own>,
  credentials: Credentials<Own>,
) {
  app.get(
    `${scope.path}/:${scope.idParam}`,
    {
      schema: {
        operationId: scope.operationIds.get,
        summary: `Show ${scope.names.credential}`,
        description: `Returns the ${scope.names.noun} in plain text.`,
        tags: scope.tags,
        params: scope.params.credential,
        problems: [credentials.kind.notFound],
        response: { 200: scope.schemas.Shown },
      },
    },
    async (request) => {
      const { params } = request
      const row = await credentials.get(ownerOf(params), idOf(params, scope))
      await scope.demandToShow?.(request, row)
      return scope.shownJson(row, credentials.textOf(row))
    },
  )
}

/** DELETE /operator/events/:id/tokens/:tokenId, and one key of a workspace */
export function revokeCredential<Own extends OwnColumns>(
  app: HttpServer,
  scope: CredentialScope<Own>,
  credentials: Credentials<Own>,
) {
  app.delete(
    `${scope.path}/:${scope.idParam}`,
    {
      schema: {
        operationId: scope.operationIds.revoke,
        summary: `Revoke ${scope.names.credential}`,
        description: `The ${scope.names.noun} is refused from the next request on.`,
        tags: scope.tags,
        params: scope.params.credential,
        problems: [credentials.kind.notFound],
        response: { 204: noContent(`The ${scope.names.noun} was revoked.`) },
      },
    },
    async ({ params }, reply) => {
      await credentials.revoke(ownerOf(params), idOf(params, scope))
      return reply.code(204).send()
    },
  )
}

function ownerOf(params: unknown): string {
  return (params as { id: string }).id
}

function idOf(params: unknown, { idParam }: { idParam: string }): string {
  return (params as Record<string, string>)[idParam]
}
