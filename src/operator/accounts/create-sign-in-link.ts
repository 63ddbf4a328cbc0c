import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { accountSuspended, operatorNotFound, signsInAtProvider } from '../errors.ts'
import { IdParams, SignInLink } from '../schemas.ts'
import type { OperatorAccounts } from './operator-accounts.ts'
import { signInLinkJson } from './operator-json.ts'

type Deps = { accounts: Pick<OperatorAccounts, 'recover'>; baseUrl: () => string; logger: Logger }

/** POST /operator/operators/:id/sign-in-link */
export function createSignInLink(app: HttpServer, { accounts, baseUrl, logger }: Deps) {
  app.post(
    '/operator/operators/:id/sign-in-link',
    {
      config: { operator: { role: 'owner', effect: 'admits' } },
      schema: {
        operationId: 'createSignInLink',
        summary: 'Create a sign-in link',
        description:
          'For an operator who has lost the password. It works for an hour and ends earlier links. Until it is used, the password and the sessions stay.',
        tags: ['Operators'],
        params: IdParams,
        problems: [operatorNotFound, accountSuspended, signsInAtProvider],
        response: { 201: SignInLink },
      },
    },
    async ({ operatorId, params }, reply) => {
      const link = await accounts.recover(params.id)
      logger.info({ operatorId: params.id, by: operatorId }, 'sign-in link created')
      return reply.code(201).send(signInLinkJson(link, baseUrl()))
    },
  )
}
