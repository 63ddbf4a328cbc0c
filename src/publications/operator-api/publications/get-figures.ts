import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { publicationNotFound } from '../../errors.ts'
import { addDays, dayOf, dayStartMs } from '../../reading-figures/day.ts'
import { figuresJson } from '../../reading-figures/figures-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { FiguresQuery, MAX_FIGURE_DAYS, ReadingFigures, USUAL_FIGURE_DAYS } from '../../schemas/figures.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { requirePublication } from './require-publication.ts'

/** GET /operator/publications/:id/figures */
export function getFigures(app: HttpServer, deps: OperatorDeps) {
  const { figures, now } = deps
  app.get<{ Params: PublicationParams; Querystring: FiguresQuery }>(
    '/operator/publications/:id/figures',
    {
      schema: {
        operationId: 'operatorGetFigures',
        summary: 'Get how a publication is read',
        description: `Views, readers, downloads, pages and time of each day in UTC, at most ${MAX_FIGURE_DAYS} days; what happened in
the last few seconds may be missing. Counted without cookies: readers are told apart for one day, by a hash with a salt
that is thrown away, and programs that say what they are do not count.`,
        tags: ['Library'],
        params: PublicationParams,
        querystring: FiguresQuery,
        problems: [publicationNotFound],
        response: { 200: ReadingFigures },
      },
    },
    async ({ params, query }) => {
      const { id } = await requirePublication(deps, params.id)
      const { from, to } = readPeriod(query, dayOf(now()))
      return figuresJson(from, to, await figures.find(id, from, to))
    },
  )
}

/** @throws badRequest for days that the calendar does not have, and a period that is too long or ends before it begins */
function readPeriod(query: FiguresQuery, today: string): { from: string; to: string } {
  for (const path of ['from', 'to'] as const) {
    const day = query[path]
    if (day !== undefined && dayStartMs(day) === undefined)
      throw invalidFields([{ path, message: 'must be a day of the calendar' }])
  }
  const to = query.to ?? today
  const from = query.from ?? addDays(to, 1 - USUAL_FIGURE_DAYS)
  if (from > to) throw invalidFields([{ path: 'from', message: 'must not be after `to`' }])
  if (from <= addDays(to, -MAX_FIGURE_DAYS))
    throw invalidFields([{ path: 'from', message: `must be less than ${MAX_FIGURE_DAYS} days before \`to\`` }])
  return { from, to }
}
