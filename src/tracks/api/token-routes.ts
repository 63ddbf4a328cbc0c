import { invalidFields } from '#platform/basics/errors.ts'
import {
  type CredentialScope,
  createCredential,
  getCredential,
  listCredentials,
  revokeCredential,
  rotateCredential,
} from '#platform/credentials/routes.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import {
  chosenTokenEndMs,
  DEFAULT_PERMISSIONS,
  isForPhones,
  participantPermissionsProblem,
  tokenLifetimeProblems,
} from '../model/event-rules.ts'
import { EventParams, EventTokenParams } from '../model/schema-fields.ts'
import type { ApiDeps } from './deps.ts'
import { shownTokenJson, type TokenGrant, type TokenPerson, tokenJson } from './event-tokens.ts'
import { listParticipantTokens } from './participant-routes.ts'
import { AppTokenCreate, AppTokenList, AppTokenRotate, ShownAppToken } from './token-schemas.ts'

/** Registers the tokens of events, for operators. */
export function tokenRoutes(app: HttpServer, deps: ApiDeps): void {
  const { eventTokens } = deps
  const scope = tokenScope(deps)
  listCredentials(app, scope, eventTokens)
  createCredential(app, scope, eventTokens)
  rotateCredential(app, scope, eventTokens)
  listParticipantTokens(app, deps)
  getCredential(app, scope, eventTokens)
  revokeCredential(app, scope, eventTokens)
}

function tokenScope({ eventTokens, now }: ApiDeps): CredentialScope<TokenPerson> {
  return {
    path: '/operator/events/:id/tokens',
    rotatePath: '/operator/events/:id/tokens/rotate',
    idParam: 'tokenId',
    params: { owner: EventParams, credential: EventTokenParams },
    tags: ['Operator'],
    operationIds: {
      list: 'operatorListTokens',
      create: 'operatorCreateToken',
      rotate: 'operatorRotateTokens',
      get: 'operatorGetToken',
      revoke: 'operatorRevokeToken',
    },
    names: { credential: 'an app token', noun: 'token', owner: 'an event' },
    summaries: { rotate: 'Replace the first token' },
    descriptions: {
      create:
        "Adds a token to the event, or to one person's tracks in it: with `user_id`. The latter ends with the event by default. The other tokens stay valid.",
      rotate:
        'Creates a first token. The other first tokens end after `keep_sec` seconds, by default at once. Tokens that were created later stay valid.',
    },
    schemas: {
      List: AppTokenList,
      Shown: ShownAppToken,
      Create: AppTokenCreate,
      Rotate: AppTokenRotate,
      Rotated: ShownAppToken,
    },
    // An operator may see more than a token for phones opens, and is not asked again on the morning of a race.
    async demandToShow(request, row) {
      if (!isForPhones(tokenJson(row, undefined))) await request.demandEffect('exports')
    },
    listJson: (rows) => ({ tokens: rows.map((row) => tokenJson(row, eventTokens.textOf(row))) }),
    shownJson: shownTokenJson,
    rotatedJson: ({ row, text }) => shownTokenJson(row, text),
    async create(eventId, body) {
      const [token] = await eventTokens.add(eventId, [grantOf(body as AppTokenCreate, now())])
      return token
    },
  }
}

function grantOf({ label, permissions, user_id, ...lifetime }: AppTokenCreate, nowMs: number): TokenGrant {
  const userId = user_id ?? null
  const chosen = permissions ?? DEFAULT_PERMISSIONS
  if (userId !== null && participantPermissionsProblem(chosen) !== undefined) {
    throw invalidFields([{ path: 'permissions', message: 'must not have manage beside a user_id' }])
  }
  const problems = tokenLifetimeProblems(lifetime)
  if (problems.length > 0) throw invalidFields(problems)
  return { label: label ?? null, permissions: chosen, userId, expiresAtMs: chosenTokenEndMs(lifetime, nowMs) }
}
