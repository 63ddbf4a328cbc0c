import Type, { type Static } from 'typebox'
import { type Nullable, nullable, nullableText } from '#platform/http/field-rules.ts'
import { MAX_READER_PASSWORD_LENGTH, MIN_READER_PASSWORD_LENGTH } from '../model/reader-passwords.ts'
import { count, date, moment, nullableMoment } from '../model/schemas.ts'

export const LINK_ID = '9f86d081884c7d659a2feaa0c55ad015'
const MAX_KEEP_SEC = 10 * 365 * 86_400

const linkFields = {
  id: Type.String({ description: 'Identifies the link. It opens nothing.', examples: [LINK_ID] }),
  name: nullableText({ description: 'Who has it, or what it is for.', examples: ['The board'] }),
  preview: Type.Boolean({
    description: 'Whether it opens the publication in any state, as its publisher sees it, also as a draft.',
    examples: [false],
  }),
  created_at: moment('Time of creation.'),
  expires_at: nullableMoment('End of the link; null without an end.'),
  has_password: Type.Boolean({ description: 'Whether its holders are asked for its own password.', examples: [false] }),
  allow_download: nullable<boolean>('boolean', {
    description: 'Whether its holders get the PDF; null as the publication says.',
    examples: [null],
  }),
}

export const ReaderLink = Type.Object(linkFields, { title: 'ReaderLink' })

export const LinkFigures = Type.Object(
  {
    views: count('Times that its holders opened the page.', 12),
    readers: count('Sum of the readers of each day: readers are not recognized on another day.', 9),
    pages: count('Times that pages were read.', 120),
    seconds: count('Seconds that pages were on their screens.', 3720),
    downloads: count('Times that the PDF was downloaded.', 2),
    last_seen: Type.Unsafe<Nullable<string>>({
      ...date('Last day, in UTC, on which the page was opened; null if it never was.'),
      type: ['string', 'null'],
    }),
  },
  {
    title: 'ReaderLinkFigures',
    description:
      'How the link was used since its creation, while the publication was not open to everyone. Previews are not counted.',
  },
)

export const ListedReaderLink = Type.Object({ ...linkFields, figures: LinkFigures }, { title: 'ListedReaderLink' })
export type ListedReaderLink = Static<typeof ListedReaderLink>
export const ReaderLinkList = Type.Object(
  { links: Type.Array(ListedReaderLink, { description: 'Newest first.' }) },
  { title: 'ReaderLinkList' },
)
export type ReaderLinkList = Static<typeof ReaderLinkList>
export const ReaderLinksQuery = Type.Object({
  format: Type.Optional(Type.Enum(['json', 'csv'] as const, { description: 'Default `json`.' })),
})
export const NewReaderLink = Type.Object(
  {
    ...linkFields,
    url: Type.String({
      format: 'uri',
      description: 'The address to hand out. It is shown only now.',
      examples: ['https://www.example.org/p/annual-report-2026?link=lnk_q83v'],
    }),
  },
  { title: 'NewReaderLink' },
)

const rules = {
  name: Type.Optional(
    nullableText({ maxLength: 200, description: 'Who has it, or what it is for.', examples: ['The board'] }),
  ),
  expires_at: Type.Optional(
    nullableText({
      format: 'date-time',
      description: 'End of the link; null for none.',
      examples: ['2027-05-03T08:00:00.000Z'],
    }),
  ),
  password: Type.Optional(
    nullableText({
      minLength: MIN_READER_PASSWORD_LENGTH,
      maxLength: MAX_READER_PASSWORD_LENGTH,
      description: 'Password that its holders are asked for, in place of that of the publication; null for none.',
      examples: ['a quiet lake at dawn'],
    }),
  ),
  allow_download: Type.Optional(
    nullable<boolean>('boolean', {
      description: 'Whether its holders get the PDF; null as the publication says.',
      examples: [true],
    }),
  ),
}

export const ReaderLinkUpdate = Type.Object(rules, {
  title: 'ReaderLinkUpdate',
  description: 'Absent members stay as they are.',
})

export const ReaderLinkCreate = Type.Object(
  {
    ...rules,
    keep_sec: Type.Optional(
      nullable<number>('integer', {
        minimum: 60,
        maximum: MAX_KEEP_SEC,
        description: 'Seconds until it ends. Default: without an end.',
        examples: [604_800],
      }),
    ),
    preview: Type.Optional(
      nullable<boolean>('boolean', {
        description: '`true` opens the publication in any state, also as a draft.',
        examples: [false],
      }),
    ),
  },
  { title: 'ReaderLinkCreate' },
)
export type ReaderLinkCreate = Static<typeof ReaderLinkCreate>
