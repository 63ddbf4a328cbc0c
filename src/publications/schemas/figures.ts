import Type, { type Static } from 'typebox'
import { count, date } from './fields.ts'

/** Longest period that reading figures are given of, and the usual one, in days. */
export const MAX_FIGURE_DAYS = 1100
export const USUAL_FIGURE_DAYS = 30

export const FiguresQuery = Type.Object({
  from: Type.Optional(date(`First day, in UTC; ${USUAL_FIGURE_DAYS - 1} days before the last by default.`)),
  to: Type.Optional(date('Last day, in UTC; today by default.')),
})
export type FiguresQuery = Static<typeof FiguresQuery>

const figures = {
  views: count('Times that people opened the page or its embedded form.', 41),
  readers: count('Different readers, as far as they can be told apart; without those who ask not to be followed.', 33),
  downloads: count('Times that the PDF was downloaded.', 4),
  seconds: count('Time that readers spent with pages on the screen.', 5210),
  pages: Type.Array(count('Times that the page was read.', 39), {
    description: 'The first page first; what is missing at the end was not read.',
  }),
}

export const FigureDay = Type.Object({ day: date('In UTC.'), ...figures }, { title: 'FigureDay' })
export type FigureDay = Static<typeof FigureDay>

export const ReadingFigures = Type.Object(
  {
    from: date('First day.'),
    to: date('Last day.'),
    days: Type.Array(FigureDay, { description: 'Every day of the period, also those without readers.' }),
    total: Type.Object(
      {
        ...figures,
        readers: count('Readers of each day added up: nobody is known again on another day.', 33),
      },
      { title: 'FigureTotal', description: 'All days together.' },
    ),
  },
  {
    title: 'ReadingFigures',
    description: 'How a publication is read. No cookie is set, and nothing is kept that names a reader.',
  },
)
export type ReadingFigures = Static<typeof ReadingFigures>
