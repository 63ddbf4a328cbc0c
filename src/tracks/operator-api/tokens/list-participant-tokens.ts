import type { HttpServer } from '#platform/http/http-server.ts'
import type { Keys } from '#platform/security/secret.ts'
import { eventNotFound } from '../../errors.ts'
import { shownTokenJson } from '../../representations/event-json.ts'
import { EventParams } from '../../schemas/addresses.ts'
import { ParticipantTokens, type ShownAppToken } from '../../schemas/tokens.ts'
import type { AppTokensStore } from '../../storage/app-tokens-store.ts'
import type { EventsStore } from '../../storage/events-store.ts'

type Deps = {
  events: Pick<EventsStore, 'find'>
  appTokens: Pick<AppTokensStore, 'listValid'>
  tokenKeys: Keys
  now: () => number
}

/** GET /operator/events/:id/participant-tokens */
export function listParticipantTokens(app: HttpServer, { events, appTokens, tokenKeys, now }: Deps) {
  app.get(
    '/operator/events/:id/participant-tokens',
    {
      config: { operator: { role: 'editor', effect: 'exports' } },
      schema: {
        operationId: 'operatorListParticipantTokens',
        summary: "Show the participants' tokens",
        description: 'Returns the valid tokens of participants in plain text, for a sheet of QR codes.',
        tags: ['Operator'],
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: ParticipantTokens },
      },
    },
    async ({ params }) => {
      if ((await events.find(params.id)) === undefined) throw eventNotFound()
      const rows = (await appTokens.listValid(params.id, now())).filter(({ user_id }) => user_id !== null)
      return { tokens: rows.map((row) => shownTokenJson(row, tokenKeys)).sort(byName) }
    },
  )
}

/** Compares as people sort names: without regard to case and accents, and numbers by their value. */
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function byName(a: ShownAppToken, b: ShownAppToken): number {
  return compare(nameOf(a), nameOf(b))
}

function nameOf({ label, user_id }: ShownAppToken): string {
  return label ?? user_id ?? ''
}
