import { formatDateTime } from '#platform/basics/time.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import {
  appIsConfirmed,
  appNotFound,
  appSetUpEnded,
  noSecondFactor,
  signsInAtProvider,
  wrongAppCode,
} from '../model/errors.ts'
import { hasFactor } from '../model/factors-store.ts'
import type { FactorDeps } from './factors.ts'
import {
  AuthenticatorAppConfirm,
  AuthenticatorAppSetUp,
  NewFactor,
  RecoveryCodes,
  SecondFactorList,
} from './schemas.ts'

/** Registers the routes for an operator's own second factors, in a guarded scope. */
export function factorRoutes(app: HttpServer, deps: FactorDeps): void {
  listSecondFactors(app, deps)
  createAuthenticatorApp(app, deps)
  confirmAuthenticatorApp(app, deps)
  deleteAuthenticatorApp(app, deps)
  replaceRecoveryCodes(app, deps)
}

/** GET /operator/second-factors */
function listSecondFactors(app: HttpServer, { factors }: FactorDeps) {
  app.get(
    '/operator/second-factors',
    {
      schema: {
        operationId: 'listSecondFactors',
        summary: 'List the second factors',
        description: "The current operator's second factors, without their secrets.",
        tags: ['Second factors'],
        response: { 200: SecondFactorList },
      },
    },
    async ({ operatorId }) => {
      const summary = await factors.summary(operatorId)
      return {
        authenticator_app: summary.appSinceMs === undefined ? null : formatDateTime(summary.appSinceMs),
        has_factor: hasFactor(summary),
        recovery_codes_left: summary.recoveryCodesLeft,
      }
    },
  )
}

/** POST /operator/authenticator-app */
function createAuthenticatorApp(app: HttpServer, { secondFactors, localCredentials, baseUrl }: FactorDeps) {
  app.post(
    '/operator/authenticator-app',
    {
      schema: {
        operationId: 'createAuthenticatorApp',
        summary: 'Begin to set up an authenticator app',
        description:
          'The app counts once a code of it is confirmed, within an hour. Beginning again ends what was begun before.',
        tags: ['Second factors'],
        problems: [appIsConfirmed, signsInAtProvider],
        response: { 201: AuthenticatorAppSetUp },
      },
    },
    async ({ operatorId, operatorSession }, reply) => {
      if (await localCredentials.areRefusedTo(operatorId)) throw signsInAtProvider()
      const account = `${operatorSession.operator_name}@${new URL(baseUrl()).host}`
      return reply.code(201).send(await secondFactors.startApp(operatorId, account))
    },
  )
}

/** POST /operator/authenticator-app/confirmation */
function confirmAuthenticatorApp(app: HttpServer, { secondFactors, logger }: FactorDeps) {
  app.post(
    '/operator/authenticator-app/confirmation',
    {
      schema: {
        operationId: 'addAuthenticatorApp',
        summary: 'Confirm an authenticator app',
        description: 'From now on, the password alone does not sign in.',
        tags: ['Second factors'],
        body: AuthenticatorAppConfirm,
        problems: [wrongAppCode, appSetUpEnded],
        response: { 200: NewFactor },
      },
    },
    async ({ operatorId, body, ip }) => {
      const codes = await secondFactors.confirmApp(operatorId, body.code)
      logger.info({ operatorId, ip }, 'authenticator app added')
      return { recovery_codes: codes }
    },
  )
}

/** DELETE /operator/authenticator-app */
function deleteAuthenticatorApp(app: HttpServer, { factors, logger }: FactorDeps) {
  app.delete(
    '/operator/authenticator-app',
    {
      schema: {
        operationId: 'deleteAuthenticatorApp',
        summary: 'Remove the authenticator app',
        description: 'With the last second factor, the recovery codes end, and the password is enough again.',
        tags: ['Second factors'],
        problems: [appNotFound],
        response: { 204: noContent('The app is removed.') },
      },
    },
    async ({ operatorId, ip }, reply) => {
      if (!(await factors.removeTotp(operatorId))) throw appNotFound()
      logger.info({ operatorId, ip }, 'authenticator app removed')
      return reply.code(204).send()
    },
  )
}

/** POST /operator/recovery-codes */
function replaceRecoveryCodes(app: HttpServer, { secondFactors, logger }: FactorDeps) {
  app.post(
    '/operator/recovery-codes',
    {
      schema: {
        operationId: 'replaceRecoveryCodes',
        summary: 'Replace the recovery codes',
        description: 'Makes ten new codes and ends the earlier ones.',
        tags: ['Second factors'],
        problems: [noSecondFactor],
        response: { 201: RecoveryCodes },
      },
    },
    async ({ operatorId, ip }, reply) => {
      const codes = await secondFactors.replaceRecoveryCodes(operatorId)
      logger.info({ operatorId, ip }, 'recovery codes replaced')
      return reply.code(201).send({ recovery_codes: codes })
    },
  )
}
