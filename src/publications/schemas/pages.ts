import Type, { type Static } from 'typebox'
import { PublicationParams } from './addresses.ts'
import { count, IMAGE, type Nullable, nullableText, VERSION_ID } from './fields.ts'

/** What there is of a page: its image, a placeholder, or nothing yet. */
export const PAGE_STATES = ['ready', 'failed', 'waiting'] as const
export const PAGE_IMAGE_WIDTHS = ['600', '1200', '2400'] as const

export const OperatorPage = Type.Object(
  {
    page: count('The first is 1.', 1),
    label: nullableText({
      description: 'What the document calls it; null where that is its number.',
      examples: ['iv'],
    }),
    width: count('Of its image, in pixels.', 1200),
    height: count('Of its image, in pixels.', 1697),
    image: Type.String({
      description: 'Path of its image on this server, 1,200 pixels wide; also while the publication is withdrawn.',
      examples: [`${IMAGE}&width=1200`],
    }),
    thumbnail: Type.String({ description: 'The same, 600 pixels wide.', examples: [`${IMAGE}&width=600`] }),
    state: Type.Enum(PAGE_STATES, {
      description: '`waiting` until it is rendered; `failed` where a placeholder stands for it.',
      examples: ['ready'],
    }),
    failed_reason: nullableText({ description: 'Why it could not be rendered.', examples: [null] }),
    text_length: Type.Unsafe<Nullable<number>>({
      type: ['integer', 'null'],
      description: 'Characters of its text; 0 where it has none, null until it is rendered.',
      examples: [2210],
    }),
  },
  { title: 'OperatorPage' },
)
export type OperatorPage = Static<typeof OperatorPage>

export const OperatorPageList = Type.Object(
  { pages: Type.Array(OperatorPage, { description: 'In their order.' }) },
  { title: 'OperatorPageList' },
)
export type OperatorPageList = Static<typeof OperatorPageList>

export const OperatorPageParams = Type.Object({
  ...PublicationParams.properties,
  page: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The first is 1.', examples: ['1'] }),
})
export type OperatorPageParams = Static<typeof OperatorPageParams>

export const PageImageQuery = Type.Object({
  width: Type.Optional(Type.Enum(PAGE_IMAGE_WIDTHS, { description: 'In pixels; default `1200`.' })),
  version: Type.Optional(Type.String({ description: 'Of which file; the latest by default.', examples: [VERSION_ID] })),
})
export type PageImageQuery = Static<typeof PageImageQuery>
