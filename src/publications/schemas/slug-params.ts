import Type from 'typebox'

/** The publication in an address, identified by its slug. */
export const SlugParams = Type.Object({
  slug: Type.String({ description: 'Current or former slug of the publication.', examples: ['annual-report-2026'] }),
})
