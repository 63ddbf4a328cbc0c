import Type from 'typebox'
import { csvFile } from '#platform/basics/csv.ts'
import { invalidFields, rateLimited } from '#platform/basics/errors.ts'
import { contentDisposition } from '#platform/http/content-disposition.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import {
  publicationNotFound,
  publicationUnpublished,
  readerPasswordRequired,
  workspaceNotFound,
} from '../model/errors.ts'
import { type FilesStore, getPublishedFile } from '../model/files-store.ts'
import { type LibraryStore, requirePublication } from '../model/library-store.ts'
import type { ReaderLinks } from '../model/reader-links.ts'
import { PublicationParams, SlugParams, WorkspaceParams } from '../model/schemas.ts'
import type { ReadingFigureRow, SourceKind } from '../model/tables.ts'
import type { FigureCounter } from './figure-counter.ts'
import {
  addDays,
  DEFAULT_FIGURE_DAYS,
  dayOf,
  daysFrom,
  type FigureDay,
  FiguresQuery,
  LibraryFigures,
  MAX_FIGURE_DAYS,
  MAX_SOURCES,
  ReadingFigures,
  ReadingReport,
} from './schemas.ts'
import { type FiguresStore, type FigureTotalRow, SUMMED } from './store.ts'

/** Parts that the routes of reading figures are built from. */
type Deps = {
  library: LibraryStore
  files: FilesStore
  readerLinks: ReaderLinks
  figures: FiguresStore
  figureCounter: FigureCounter
  now: () => number
}

/** GET /operator/publications/:id/figures */
export function getFigures(app: HttpServer, { library, figures, now }: Deps) {
  app.get(
    '/operator/publications/:id/figures',
    {
      schema: {
        operationId: 'operatorGetFigures',
        summary: 'Get the reading figures of a publication',
        description: `Returns views, readers, downloads, pages and reading time per day in UTC, for at most ${MAX_FIGURE_DAYS} days; the
last few seconds may be missing. No cookies are used: readers are distinguished for one day, by a hash with a salt that is
then deleted, and programs that identify themselves are not counted. With \`format=csv\`, a table of the days.`,
        tags: ['Library'],
        params: PublicationParams,
        querystring: FiguresQuery,
        produces: ['application/json', 'text/csv'],
        problems: [publicationNotFound],
        response: { 200: Type.Unsafe<ReadingFigures | string>(ReadingFigures) },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params, query }, reply) => {
      const { id, slug } = await requirePublication(library, params.id)
      const { from, to } = parsePeriod(query, dayOf(now()))
      const answer = figuresJson(from, to, await figures.find(id, from, to))
      if (query.format !== 'csv') return reply.send(answer)
      const lines = answer.days.map((row) => [row.day, ...SUMMED.map((kind) => row[kind])])
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition('attachment', `reading figures ${slug}`, 'csv'))
        .serializer(String)
        .send(csvFile([['day', ...SUMMED], ...lines]))
    },
  )
}

/** Publications whose figures are listed, the newest. */
const MAX_LISTED = 20_000

/** GET /operator/workspaces/:id/figures */
export function getLibraryFigures(app: HttpServer, { library, figures, now }: Deps) {
  app.get(
    '/operator/workspaces/:id/figures',
    {
      schema: {
        operationId: 'operatorGetLibraryFigures',
        summary: 'Get the reading figures of a workspace',
        description: `Returns sums of each publication over at most ${MAX_FIGURE_DAYS} days, and their totals, as JSON or CSV.`,
        tags: ['Library'],
        params: WorkspaceParams,
        querystring: FiguresQuery,
        produces: ['application/json', 'text/csv'],
        problems: [workspaceNotFound],
        response: { 200: Type.Unsafe<LibraryFigures | string>(LibraryFigures) },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params, query }, reply) => {
      const { from, to } = parsePeriod(query, dayOf(now()))
      const publications = await library.outlines(params.id, {}, MAX_LISTED)
      const ids = publications.map(({ id }) => id)
      const answer = libraryFigures(publications, await figures.totals(ids, from, to), { from, to })
      if (query.format !== 'csv') return reply.send(answer)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition('attachment', `reading figures ${from} ${to}`, 'csv'))
        .serializer(String)
        .send(figuresCsv(answer))
    },
  )
}

function libraryFigures(
  publications: readonly { id: string; slug: string; title: string }[],
  rows: readonly FigureTotalRow[],
  period: { from: string; to: string },
): LibraryFigures {
  const zero = { views: 0, readers: 0, downloads: 0, seconds: 0 }
  const total = { ...zero }
  const sums = new Map(publications.map(({ id }) => [id, { ...zero }]))
  for (const { publication_id, kind, amount } of rows) {
    sums.get(publication_id)![kind] += amount
    total[kind] += amount
  }
  const listed = publications.map(({ id, slug, title }) => ({ id, slug, title, ...sums.get(id)! }))
  return { ...period, publications: listed.sort((a, b) => b.views - a.views), total }
}

function figuresCsv({ publications }: LibraryFigures): string {
  const lines = publications.map((row) => [row.title, row.slug, ...SUMMED.map((kind) => row[kind])])
  return csvFile([['title', 'slug', ...SUMMED], ...lines])
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

/** Returns the figures of a period with every day; trailing pages without figures are left out. */
function figuresJson(from: string, to: string, rows: readonly ReadingFigureRow[]): ReadingFigures {
  const byDay = Map.groupBy(rows, ({ day }) => day)
  return {
    from,
    to,
    days: daysFrom(from, to).map((day): FigureDay => ({ day, ...summed(byDay.get(day) ?? []) })),
    total: summed(rows),
    sources: sourcesIn(rows),
  }
}

/** Returns the sites that readers came from, the most views first. */
function sourcesIn(rows: readonly ReadingFigureRow[]): ReadingFigures['sources'] {
  const views = new Map<string, number>()
  for (const { kind, amount } of rows) if (isSource(kind)) views.set(kind, (views.get(kind) ?? 0) + amount)
  const sources = [...views].map(([kind, sum]) => ({ host: kind.slice(FROM.length), views: sum }))
  return sources.sort((a, b) => b.views - a.views || (a.host < b.host ? -1 : 1)).slice(0, MAX_SOURCES)
}

const FROM = 'from '

function isSource(kind: ReadingFigureRow['kind']): kind is SourceKind {
  return kind.startsWith(FROM)
}

function summed(rows: readonly ReadingFigureRow[]) {
  const figures = { views: 0, readers: 0, downloads: 0, seconds: 0, pages: [] as number[] }
  for (const { kind, page, amount } of rows) {
    if (isSource(kind)) continue
    if (kind === 'page') addPage(figures.pages, page, amount)
    else figures[kind] += amount
  }
  return figures
}

function addPage(pages: number[], page: number, amount: number): void {
  while (pages.length < page) pages.push(0)
  pages[page - 1] += amount
}

/** POST /publications/:slug/reading */
export function reportReading(app: HttpServer, { files, readerLinks, figureCounter }: Deps) {
  app.post(
    '/publications/:slug/reading',
    {
      schema: {
        operationId: 'reportReading',
        summary: 'Report what was read',
        description: `Counts pages that were on a reader's screen, for the figures of the publication. Only sums per day are stored,
nothing about the reader. Pages that the publication does not have are ignored. A browser may send the report with
\`sendBeacon\`, as \`text/plain\`.`,
        tags: ['Publications'],
        params: SlugParams,
        body: ReadingReport,
        problems: [publicationNotFound, publicationUnpublished, readerPasswordRequired, rateLimited],
        response: { 204: noContent('The report is counted.') },
      },
    },
    async (request, reply) => {
      const grant = await readerLinks.of(request)
      const { pageCount, isPreview, ...read } = await getPublishedFile(files, request.params.slug, grant)
      if (isPreview !== true) figureCounter.countReading(read, pageCount, request.body, request)
      return reply.code(204).send()
    },
  )
}
