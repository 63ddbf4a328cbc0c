import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'

const COLOURS = { running: 'teal.9', paused: 'orange.9', stopped: 'gray.7' } as const

/** The state of a track as a badge, by text and not by colour alone. */
export function StateBadge({ state }: { state: SharedTrack['state'] }) {
  const { t } = useTranslation()
  return (
    <Badge variant="filled" size="sm" color={COLOURS[state]} miw="max-content">
      {t(`state.${state}`)}
    </Badge>
  )
}
