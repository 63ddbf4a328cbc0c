import { Badge, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LibraryEntry, OperatorPublication } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** The state of a publication as people see it: that nobody can read it comes before the rendering status. */
export type PublicationState =
  | Exclude<LibraryEntry['visibility'], 'visible'>
  | 'failed'
  | 'processing'
  | LibraryEntry['access']

type Publication = LibraryEntry | OperatorPublication

function publicationState({ status, access, visibility }: Publication): PublicationState {
  if (visibility !== 'visible') return visibility
  return status === 'ready' ? access : status
}

/** Checks whether pages are still being rendered, which includes publications that can already be read. */
export function isRendering(entry: Publication): boolean {
  return entry.status !== 'failed' && entry.pages_ready < entry.page_count
}

const COLOURS = {
  public: 'teal.9',
  unlisted: 'indigo.9',
  restricted: 'grape.9',
  processing: 'cyan.9',
  failed: 'red.9',
  draft: 'blue.9',
  scheduled: 'blue.9',
  expired: 'gray.7',
  unpublished: 'gray.7',
} as const

/** The state of a publication as a badge. */
export function PublicationBadge({ publication }: { publication: Publication }) {
  const { t } = useTranslation()
  const state = publicationState(publication)
  return (
    <Badge variant="filled" color={COLOURS[state]} style={{ flexShrink: 0 }} miw="max-content">
      {t(`publication.${state}`)}
    </Badge>
  )
}

/** The rendering progress of a publication; nothing once it is rendered. */
export function RenderingProgress({ publication }: { publication: Publication }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!isRendering(publication)) return null
  const { pages_ready: ready, page_count: all, title } = publication
  return (
    <Stack gap={4}>
      <Progress.Root size="sm">
        <Progress.Section value={(100 * ready) / all} aria-label={t('publication.renderingThis', { title })} />
      </Progress.Root>
      <Text size="xs" c="dimmed" className="figures">
        {t('publication.rendering', { ready: format.count(ready), all: format.count(all) })}
      </Text>
    </Stack>
  )
}
