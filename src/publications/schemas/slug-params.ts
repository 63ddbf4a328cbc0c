import Type from 'typebox'

/** The publication that an address names, for its readers. */
export const SlugParams = Type.Object({
  slug: Type.String({ description: "The publication's slug, or one it had before.", examples: ['annual-report-2026'] }),
})
