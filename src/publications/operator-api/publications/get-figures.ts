import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { addDays, dayOf } from '../../domain/day.ts'
import { publicationNotFound } from '../../errors.ts'
import { figuresJson } from '../../reading-figures/figures-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { DEFAULT_FIGURE_DAYS, FiguresQuery, MAX_FIGURE_DAYS, ReadingFigures } from '../../schemas/figures.ts'
import type { FiguresStore } from '../../storage/figures-store.ts'
import { type RequirePublicationDeps, requirePublication } from './require-publication.ts'

type Deps = RequirePublicationDeps & { figures: Pick<FiguresStore, 'find'>; now: () => number }

/** GET /operator/publications/:id/figures */
export function getFigures(app: HttpServer, deps: Deps) {
  const { figures, now } = deps
  app.get(
    '/operator/publications/:id/figures',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetFigures',
        summary: 'Get the reading figures of a publication',
        description: `Returns views, readers, downloads, pages and reading time per day in UTC, for at most ${MAX_FIGURE_DAYS} days; the
last few seconds may be missing. No cookies are used: readers are distinguished for one day, by a hash with a salt that is
then deleted, and programs that identify themselves are not counted.`,
        tags: ['Library'],
        params: PublicationParams,
        querystring: FiguresQuery,
        problems: [publicationNotFound],
        response: { 200: ReadingFigures },
      },
    },
    async ({ params, query }) => {
      const { id } = await requirePublication(deps, params.id)
      const { from, to } = parsePeriod(query, dayOf(now()))
      return figuresJson(from, to, await figures.find(id, from, to))
    },
  )
}

/** Returns the first and the last day. @throws badRequest for a period that is too long or ends before it begins */
function parsePeriod(query: { from?: string; to?: string }, today: string): { from: string; to: string } {
  const to = query.to ?? today
  const from = query.from ?? addDays(to, 1 - DEFAULT_FIGURE_DAYS)
  if (from > to) throw invalidFields([{ path: 'from', message: 'must not be after `to`' }])
  if (from <= addDays(to, -MAX_FIGURE_DAYS))
    throw invalidFields([{ path: 'from', message: `must be less than ${MAX_FIGURE_DAYS} days before \`to\`` }])
  return { from, to }
}
