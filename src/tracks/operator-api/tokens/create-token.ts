import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { DEFAULT_PERMISSIONS } from '../../domain/permission.ts'
import { chosenTokenEndMs, participantPermissionsProblem, tokenLifetimeProblems } from '../../domain/token-rules.ts'
import { eventNotFound } from '../../errors.ts'
import type { EventTokens, TokenGrant } from '../../events/event-tokens.ts'
import { issuedTokenJson } from '../../representations/event-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { AppTokenCreate, ShownAppToken } from '../../schemas/tokens.ts'

type Deps = { eventTokens: Pick<EventTokens, 'add'>; now: () => number }

/** POST /operator/events/:id/tokens */
export function createToken(app: HttpServer, { eventTokens, now }: Deps) {
  app.post(
    '/operator/events/:id/tokens',
    {
      config: { operator: { role: 'editor', effect: 'admits' } },
      schema: {
        operationId: 'operatorCreateToken',
        summary: 'Create an app token',
        description:
          "Adds a token to the event, or to one person's tracks in it: with `user_id`. The latter ends with the event by default. The other tokens stay valid.",
        tags: ['Operator'],
        params: EventParams,
        body: AppTokenCreate,
        problems: [eventNotFound],
        response: { 201: ShownAppToken },
      },
    },
    async ({ params, body }, reply) => {
      const [{ token, grant }] = await eventTokens.add(params.id, [grantOf(body, now())])
      return reply.code(201).send(issuedTokenJson(token, grant))
    },
  )
}

function grantOf({ label, permissions, user_id, ...lifetime }: AppTokenCreate, nowMs: number): TokenGrant {
  const userId = user_id ?? null
  const wanted = permissions ?? DEFAULT_PERMISSIONS
  if (userId !== null && participantPermissionsProblem(wanted) !== undefined) {
    throw invalidFields([{ path: 'permissions', message: 'must not have manage beside a user_id' }])
  }
  const problems = tokenLifetimeProblems(lifetime)
  if (problems.length > 0) throw invalidFields(problems)
  return { label: label ?? null, permissions: wanted, userId, expiresAtMs: chosenTokenEndMs(lifetime, nowMs) }
}
