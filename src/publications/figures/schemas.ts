import Type, { type Static } from 'typebox'
import { ruledBy } from '#platform/http/field-rules.ts'
import { count, date } from '../model/schemas.ts'

/** Longest and default period of reading figures, in days. */
export const MAX_FIGURE_DAYS = 1100
export const DEFAULT_FIGURE_DAYS = 30
/** Sources that an answer lists. */
export const MAX_SOURCES = 50

const calendarDay = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    ...ruledBy((text) => (dayStartMs(text) === undefined ? 'must be a day of the calendar' : undefined)),
    description,
    examples: ['2026-05-03'],
  })

const Period = Type.Object({
  from: Type.Optional(calendarDay(`First day, in UTC; ${DEFAULT_FIGURE_DAYS - 1} days before the last by default.`)),
  to: Type.Optional(calendarDay('Last day, in UTC; today by default.')),
})

export const FiguresQuery = Type.Object({
  ...Period.properties,
  format: Type.Optional(Type.Enum(['json', 'csv'] as const, { description: 'Default `json`.' })),
})
export type FiguresQuery = Static<typeof FiguresQuery>

const figures = {
  views: count('Times that people opened the public page or its embedded form.', 41),
  readers: count('Distinct readers, as far as they can be distinguished; without those who ask not to be tracked.', 33),
  downloads: count('Times that the PDF was downloaded.', 4),
  seconds: count('Seconds that pages were on readers’ screens.', 5210),
  pages: Type.Array(count('Times that the page was read.', 39), {
    description: 'Starts with the first page; missing pages at the end were not read.',
  }),
}

export const FigureDay = Type.Object({ day: date('In UTC.'), ...figures }, { title: 'FigureDay' })
export type FigureDay = Static<typeof FigureDay>

export const ReadingFigures = Type.Object(
  {
    from: date('First day.'),
    to: date('Last day.'),
    days: Type.Array(FigureDay, { description: 'Every day of the period, including days without readers.' }),
    total: Type.Object(
      {
        ...figures,
        readers: count('Sum of the readers of each day: readers are not recognized on another day.', 33),
      },
      { title: 'FigureTotal', description: 'Sums of all days.' },
    ),
    sources: Type.Array(
      Type.Object(
        {
          host: Type.String({ description: 'Without `www.`.', examples: ['news.example.org'] }),
          views: count('Views that began on a page of the host, or in one that embeds the publication.', 12),
        },
        { title: 'FigureSource' },
      ),
      {
        description: `Sites that readers came from, as their browsers say, the most views first; at most ${MAX_SOURCES}. Readers who ask not to
be tracked are left out.`,
      },
    ),
  },
  {
    title: 'ReadingFigures',
    description: 'How a publication is read. No cookies are set, and nothing that identifies a reader is stored.',
  },
)
export type ReadingFigures = Static<typeof ReadingFigures>

/** Sums of a publication or of a workspace. */
const sums = {
  views: figures.views,
  readers: count('Sum of the readers of each day: readers are not recognized on another day.', 33),
  downloads: figures.downloads,
  seconds: figures.seconds,
}

export const LibraryFigures = Type.Object(
  {
    from: date('First day.'),
    to: date('Last day.'),
    publications: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'] }),
          slug: Type.String({ examples: ['annual-report-2026'] }),
          title: Type.String({ examples: ['Annual Report 2026'] }),
          ...sums,
        },
        { title: 'LibraryFigureRow' },
      ),
      { description: 'The most viewed first.' },
    ),
    total: Type.Object(sums, { title: 'LibraryFigureTotal', description: 'Sums of all publications.' }),
  },
  { title: 'LibraryFigures' },
)
export type LibraryFigures = Static<typeof LibraryFigures>

const DAY_MS = 86_400_000

/** Returns the day of a time in UTC, `2026-05-03`. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/**
 * Returns the start of a day in milliseconds since 1970; undefined for a day that does not exist, such as `2026-02-30`.
 */
export function dayStartMs(day: string): number | undefined {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  return Number.isFinite(timeMs) && dayOf(timeMs) === day ? timeMs : undefined
}

/** Returns the day that is `days` later, or earlier if it is negative. */
export function addDays(day: string, days: number): string {
  return dayOf(dayStartMs(day)! + days * DAY_MS)
}

/** Returns all days of a period, including the first and the last; none if the last is before the first. */
export function daysFrom(first: string, last: string): string[] {
  const length = (dayStartMs(last)! - dayStartMs(first)!) / DAY_MS + 1
  return Array.from({ length: Math.max(0, length) }, (_, at) => addDays(first, at))
}

/** Limits of a report: all pages of a large document, and ten hours. */
const MAX_REPORTED_PAGES = 5_000
const MAX_REPORTED_SEC = 36_000

export const ReadingReport = Type.Object(
  {
    pages: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      maxItems: MAX_REPORTED_PAGES,
      description: 'Numbers of pages that were on the screen and not reported yet; each counts once.',
      examples: [[1, 2]],
    }),
    seconds: Type.Integer({
      minimum: 0,
      maximum: MAX_REPORTED_SEC,
      description: 'Seconds that pages were on the screen since the last report.',
      examples: [42],
    }),
  },
  { title: 'ReadingReport' },
)
export type ReadingReport = Static<typeof ReadingReport>
