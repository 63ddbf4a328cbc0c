import Type, { type Static } from 'typebox'
import { ruledBy } from '#platform/http/problems/field-rules.ts'
import { dayStartMs } from '../domain/day.ts'
import { count, date } from './fields.ts'

/** Longest and default period of reading figures, in days. */
export const MAX_FIGURE_DAYS = 1100
export const DEFAULT_FIGURE_DAYS = 30

const calendarDay = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    ...ruledBy((text) => (dayStartMs(text) === undefined ? 'must be a day of the calendar' : undefined)),
    description,
    examples: ['2026-05-03'],
  })

export const FiguresQuery = Type.Object({
  from: Type.Optional(calendarDay(`First day, in UTC; ${DEFAULT_FIGURE_DAYS - 1} days before the last by default.`)),
  to: Type.Optional(calendarDay('Last day, in UTC; today by default.')),
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
  },
  {
    title: 'ReadingFigures',
    description: 'How a publication is read. No cookies are set, and nothing that identifies a reader is stored.',
  },
)
export type ReadingFigures = Static<typeof ReadingFigures>
