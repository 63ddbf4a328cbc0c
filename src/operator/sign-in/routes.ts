import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound, rateLimited } from '#platform/basics/errors.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import { beginRecord } from '../audit/record-requests.ts'
import { passkeySite } from '../factors/passkeys.ts'
import { SecondFactorCode, SecondFactorNeeded } from '../factors/schemas.ts'
import { crossSite, linkEnded, signInStepEnded, wrongCode, wrongCredentials, wrongPassword } from '../model/errors.ts'
import {
  PasswordUpdate,
  Session,
  SignIn,
  SignInLinkCheck,
  SignInLinkOwner,
  SignInLinkRedeem,
  SignInMethods,
} from '../model/schemas.ts'
import { signBrowserOut } from '../sessions/cookies.ts'
import { clientOf, startSession } from '../sessions/start-session.ts'
import type { SignInDeps } from './authenticate.ts'
import { type SignedIn, stateOfStep } from './authenticate.ts'

/** GET /operator/sign-in-methods */
export function getSignInMethods(app: HttpServer, { baseUrl, providerButton }: SignInDeps) {
  app.get(
    '/operator/sign-in-methods',
    {
      schema: {
        operationId: 'getSignInMethods',
        summary: 'Get the ways to sign in',
        description: 'For the sign-in page. They are the same for everyone, and reveal nothing about operators.',
        tags: ['Signing in'],
        // Under another host name than the dashboard's.
        problems: [notFound],
        response: { 200: SignInMethods },
      },
    },
    async () => ({ passkeys: passkeySite(baseUrl()) !== undefined, provider: providerButton }),
  )
}

/** POST /operator/session */
export function signIn(app: HttpServer, deps: SignInDeps) {
  const { authentication, knownBrowsers, logger } = deps
  app.post(
    '/operator/session',
    {
      schema: {
        operationId: 'signIn',
        summary: 'Sign in',
        description:
          'The response sets the session cookie, and a cookie by which the browser is known at the next sign-in. After several failures, each further attempt has to wait twice as long. Failures of known browsers are counted on their own. An operator with a second factor gets 202, and a cookie to go on with.',
        tags: ['Signing in'],
        body: SignIn,
        problems: [wrongCredentials, crossSite, rateLimited],
        response: { 200: Session, 202: SecondFactorNeeded },
      },
    },
    async (request, reply) => {
      const { name, password } = request.body
      const client = { ...clientOf(request), known: knownBrowsers.find(request) }
      const opened = await authentication.withPassword(name, password, client).catch((error) => {
        // Without the name: people type passwords into its field.
        logger.warn({ ip: request.ip, code: error.code }, 'sign-in failed')
        throw error
      })
      if ('session' in opened)
        logger.info({ operatorId: opened.session.operator_id, ip: request.ip }, 'operator signed in')
      return await answerSignIn(opened, { request, reply }, deps)
    },
  )
}

/** POST /operator/session/second-factor */
export function signInWithSecondFactor(app: HttpServer, deps: SignInDeps) {
  const { authentication, secondStepCookie, knownBrowsers, logger } = deps
  app.post(
    '/operator/session/second-factor',
    {
      schema: {
        operationId: 'signInWithSecondFactor',
        summary: 'Sign in with a second factor',
        description:
          'Follows a sign-in that was answered with 202, in the same browser. Each code works once. Failures are slowed down as those of passwords are.',
        tags: ['Signing in'],
        body: SecondFactorCode,
        problems: [wrongCode, crossSite, signInStepEnded, rateLimited],
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const state = secondStepCookie.read(request)
      const client = { ...clientOf(request), known: knownBrowsers.find(request) }
      const opened = await authentication.withCode(state, request.body.code, client).catch((error) => {
        logger.warn({ operatorId: state?.operatorId, ip: request.ip, code: error.code }, 'second factor failed')
        throw error
      })
      secondStepCookie.clear(reply)
      logger.info({ operatorId: opened.session.operator_id, ip: request.ip }, 'operator signed in with a second factor')
      return await startSession(opened, { request, reply }, deps)
    },
  )
}

/** Answers a right password or a link: with the new session, or with 202 where a second factor has to follow. */
async function answerSignIn(
  signedIn: SignedIn,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  deps: SignInDeps,
): Promise<Session | SecondFactorNeeded> {
  if ('session' in signedIn) return await startSession(signedIn, { request, reply }, deps)
  deps.secondStepCookie.write(reply, stateOfStep(signedIn))
  reply.code(202)
  return { second_factors: [...signedIn.factors] }
}

/** DELETE /operator/session */
export function signOut(app: HttpServer, deps: SignInDeps) {
  const { sessions, cookie, now } = deps
  app.delete(
    '/operator/session',
    {
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description:
          'Ends the session and deletes its cookie and what the browser has cached. Succeeds without a session, too.',
        tags: ['Signing in'],
        problems: [crossSite],
        response: { 204: noContent('The browser is signed out.') },
      },
    },
    async (request, reply) => {
      const token = cookie.read(request)
      const hash = token === undefined ? undefined : tokenHash(token)
      const session = hash === undefined ? undefined : await sessions.find(hash, now())
      if (session !== undefined) {
        await beginRecord(request, deps, session)
        await sessions.endByToken(session.token_sha256)
      }
      signBrowserOut(reply, cookie)
      return reply.code(204).send()
    },
  )
}

/** PUT /operator/password */
export function changePassword(app: HttpServer, { authentication, logger }: SignInDeps) {
  app.put(
    '/operator/password',
    {
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password',
        description: "The current session stays. The operator's other sessions and sign-in links end.",
        tags: ['Signing in'],
        body: PasswordUpdate,
        problems: [wrongPassword, rateLimited],
        response: { 204: noContent('The password is changed.') },
      },
    },
    async (request, reply) => {
      const passwords = { current: request.body.current_password, next: request.body.password }
      await authentication.changePassword(request.operatorSession, passwords)
      logger.info({ operatorId: request.operatorId, ip: request.ip }, 'password changed')
      return reply.code(204).send()
    },
  )
}

/** POST /operator/sign-in-link */
export function redeemSignInLink(app: HttpServer, deps: SignInDeps) {
  const { authentication, operators, now, logger } = deps
  app.post(
    '/operator/sign-in-link',
    {
      schema: {
        operationId: 'redeemSignInLink',
        summary: 'Use a sign-in link',
        description:
          "Sets the password and signs in. The operator's other sessions end. The link stays valid if the password is refused. It does not replace a second factor: an operator who has one gets 202, as at sign-in.",
        tags: ['Signing in'],
        body: SignInLinkRedeem,
        problems: [crossSite, linkEnded, rateLimited],
        response: { 200: Session, 202: SecondFactorNeeded },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body
      const owner = await operators.findByLink(tokenHash(token), now())
      if (owner !== undefined) await beginRecord(request, deps, { operator_id: owner.id, operator_name: owner.name })
      const opened = await authentication.withLink(token, password, clientOf(request))
      const { id } = 'session' in opened ? { id: opened.session.operator_id } : opened.operator
      logger.info({ operatorId: id, ip: request.ip }, 'password set with a link')
      return await answerSignIn(opened, { request, reply }, deps)
    },
  )
}

/** POST /operator/sign-in-link/check */
export function checkSignInLink(app: HttpServer, { authentication }: SignInDeps) {
  app.post(
    '/operator/sign-in-link/check',
    {
      schema: {
        operationId: 'checkSignInLink',
        summary: 'Check a sign-in link',
        description:
          'Tells whose link it is, without using it. The token is in the body, because addresses are logged.',
        tags: ['Signing in'],
        body: SignInLinkCheck,
        problems: [crossSite, linkEnded, rateLimited],
        response: { 200: SignInLinkOwner },
      },
    },
    async (request) => ({ name: await authentication.ownerOfLink(request.body.token, clientOf(request)) }),
  )
}
