import { Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LibraryEntry } from '../api/publications.ts'
import { useFormat } from '../i18n/format.ts'
import { isRendering } from './publication-state.ts'

type RenderingProgressProps = { publication: Pick<LibraryEntry, 'title' | 'status' | 'pages_ready' | 'page_count'> }

/** The rendering progress of a publication; nothing once it is rendered. */
export function RenderingProgress({ publication }: RenderingProgressProps) {
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
