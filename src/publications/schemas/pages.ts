import Type, { type Static } from 'typebox'
import { PublicationParams } from './addresses.ts'
import { count, IMAGE, type Nullable, nullableText, VERSION_ID } from './fields.ts'

/** A page is shown as its image, a placeholder, or not yet. */
const PAGE_STATES = ['ready', 'failed', 'waiting'] as const
const PAGE_IMAGE_WIDTHS = ['600', '1200', '2400'] as const

export const OperatorPage = Type.Object(
  {
    page: count('The first is 1.', 1),
    label: nullableText({
      description: "The document's own name for the page; null if that is its number.",
      examples: ['iv'],
    }),
    width: count('Width of its image, in pixels.', 1200),
    height: count('Height of its image, in pixels.', 1697),
    image: Type.String({
      description:
        'Path of its image on this server, 1,200 pixels wide; it works even while the publication is unpublished.',
      examples: [`${IMAGE}&width=1200`],
    }),
    thumbnail: Type.String({ description: 'Path of its image, 600 pixels wide.', examples: [`${IMAGE}&width=600`] }),
    state: Type.Enum(PAGE_STATES, {
      description: '`waiting` until it is rendered; `failed` if it is shown as a placeholder.',
      examples: ['ready'],
    }),
    failed_reason: nullableText({ description: 'Reason why it could not be rendered.', examples: [null] }),
    text_length: Type.Unsafe<Nullable<number>>({
      type: ['integer', 'null'],
      description: 'Characters of its text; 0 if it has none, null until it is rendered.',
      examples: [2210],
    }),
  },
  { title: 'OperatorPage' },
)
export type OperatorPage = Static<typeof OperatorPage>

export const OperatorPageList = Type.Object(
  { pages: Type.Array(OperatorPage, { description: 'Pages in order.' }) },
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
  version: Type.Optional(
    Type.String({ description: 'Version of the file; the latest by default.', examples: [VERSION_ID] }),
  ),
})
export type PageImageQuery = Static<typeof PageImageQuery>
