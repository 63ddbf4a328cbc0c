import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LibraryEntry } from '../api/publications.ts'
import { publicationState } from './publication-state.ts'

const COLOURS = { public: 'teal.9', processing: 'cyan.9', failed: 'red.9', unpublished: 'gray.7' } as const

/** The state of a publication as a badge. */
export function PublicationBadge({ publication }: { publication: Pick<LibraryEntry, 'status' | 'unpublished_at'> }) {
  const { t } = useTranslation()
  const state = publicationState(publication)
  return (
    <Badge variant="filled" color={COLOURS[state]} style={{ flexShrink: 0 }}>
      {t(`publication.${state}`)}
    </Badge>
  )
}
