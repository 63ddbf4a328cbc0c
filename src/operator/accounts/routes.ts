import type { Logger } from '#platform/basics/logger.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { accountSuspended, lastOwner, operatorNameTaken, operatorNotFound, signsInAtProvider } from '../model/errors.ts'
import { type FactorsStore, hasFactor } from '../model/factors-store.ts'
import {
  IdParams,
  Operator,
  OperatorCreate,
  OperatorCreated,
  OperatorList,
  OperatorUpdate,
  SignInLink,
} from '../model/schemas.ts'
import { type HostCookie, signBrowserOut } from '../sessions/cookies.ts'
import { type OperatorAccounts, operatorJson, type RequestedRights, signInLinkJson } from './operator-accounts.ts'
import type { OperatorsStore } from './operators-store.ts'

type Deps = {
  operators: OperatorsStore
  accounts: OperatorAccounts
  factors: FactorsStore
  requestedRights: RequestedRights
  cookie: HostCookie
  baseUrl: () => string
  logger: Logger
}

/** GET /operator/operators */
export function listOperators(app: HttpServer, { operators, factors }: Deps) {
  app.get(
    '/operator/operators',
    {
      schema: {
        operationId: 'listOperators',
        summary: 'List the operators',
        description: 'All operators, the oldest first.',
        tags: ['Operators'],
        response: { 200: OperatorList },
      },
    },
    async () => {
      const withFactor = await factors.operatorsWithFactor()
      return {
        operators: (await operators.list()).map((operator) => operatorJson(operator, withFactor.has(operator.id))),
      }
    },
  )
}

/** POST /operator/operators */
export function createOperator(app: HttpServer, { accounts, requestedRights, baseUrl, logger }: Deps) {
  app.post(
    '/operator/operators',
    {
      schema: {
        operationId: 'createOperator',
        summary: 'Create an operator',
        description: 'With the link in the response, the new operator sets a password. It works for seven days.',
        tags: ['Operators'],
        body: OperatorCreate,
        problems: [operatorNameTaken],
        response: { 201: OperatorCreated },
      },
    },
    async (request, reply) => {
      const { name, role } = request.body
      const rights = (await requestedRights(request.body))({ role, limitedTo: null })
      const { operator, link } = await accounts.create(name, rights)
      logger.info({ operatorId: operator.id, role, by: request.operatorId }, 'operator created')
      return reply.code(201).send({ ...operatorJson(operator, false), sign_in_link: signInLinkJson(link, baseUrl()) })
    },
  )
}

/** PATCH /operator/operators/:id */
export function updateOperator(app: HttpServer, { operators, factors, requestedRights, logger }: Deps) {
  app.patch(
    '/operator/operators/:id',
    {
      schema: {
        operationId: 'updateOperator',
        summary: "Change an operator's role",
        description:
          'Changes the role, and the events and workspaces it is for. It takes effect with the next request of the operator; live streams that are no longer allowed end within seconds.',
        tags: ['Operators'],
        params: IdParams,
        body: OperatorUpdate,
        problems: [operatorNotFound, lastOwner],
        response: { 200: Operator },
      },
    },
    async ({ operatorId, params, body }) => {
      const changed = await operators.changeRights(params.id, await requestedRights(body))
      const { role, limitedTo } = changed.rights
      logger.info({ operatorId: params.id, role, isLimited: limitedTo !== null, by: operatorId }, 'role changed')
      return operatorJson(changed, hasFactor(await factors.summary(changed.id)))
    },
  )
}

/** DELETE /operator/operators/:id */
export function deleteOperator(app: HttpServer, { operators, cookie, logger }: Deps) {
  app.delete(
    '/operator/operators/:id',
    {
      schema: {
        operationId: 'deleteOperator',
        summary: 'Delete an operator',
        description:
          "Ends all of the operator's sessions and links. Owners can delete themselves, except the last one.",
        tags: ['Operators'],
        params: IdParams,
        problems: [operatorNotFound, lastOwner],
        response: { 204: noContent('The operator is deleted.') },
      },
    },
    async ({ operatorId, params }, reply) => {
      await operators.delete(params.id)
      logger.info({ operatorId: params.id, by: operatorId }, 'operator deleted')
      if (params.id === operatorId) signBrowserOut(reply, cookie)
      return reply.code(204).send()
    },
  )
}

/** POST /operator/operators/:id/sign-in-link */
export function createSignInLink(app: HttpServer, { accounts, baseUrl, logger }: Deps) {
  app.post(
    '/operator/operators/:id/sign-in-link',
    {
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
