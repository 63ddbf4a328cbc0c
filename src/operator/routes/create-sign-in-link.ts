import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { operatorNotFound } from '../errors.ts'
import { IdParams, SignInLink } from '../schemas.ts'
import { signInLinkJson } from '../sessions/session-json.ts'

/** POST /operator/operators/:id/sign-in-link */
export function createSignInLink(app: HttpServer, { accounts, baseUrl, logger }: OperatorDeps) {
  app.post<{ Params: IdParams }>(
    '/operator/operators/:id/sign-in-link',
    {
      schema: {
        operationId: 'createSignInLink',
        summary: 'Create a sign-in link',
        description:
          'For an operator who has lost the password. It works for an hour, and earlier links end. Until it is used, the password and the sessions stay.',
        tags: ['Operators'],
        params: IdParams,
        problems: [operatorNotFound],
        response: { 201: SignInLink },
      },
    },
    async ({ operatorId, params }, reply) => {
      const link = await accounts.recover(params.id)
      logger.info({ operatorId: params.id, by: operatorId }, 'a sign-in link was made')
      return reply.code(201).send(signInLinkJson(link, baseUrl()))
    },
  )
}
