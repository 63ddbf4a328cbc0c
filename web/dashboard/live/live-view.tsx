import { Box, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LocateFixed } from 'lucide-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import type { seriesQuery } from '../api/tracks.ts'
import { LiveList } from './live-list.tsx'
import { LiveMap } from './live-map.tsx'
import type { Position } from './live-tracks.ts'
import './live-view.css'
import { lineUntil } from './line-until.ts'
import type { LiveSnapshot } from './live-store.ts'

const NO_LINE: Position[][] = []

type LiveViewProps<Track extends SharedTrack> = {
  live: LiveSnapshot<Track>
  /** Queries the whole line of a track; the live line begins half an hour ago. */
  lineQuery: typeof seriesQuery
  more?(track: Track): ReactNode
}

/** A live map with the list of its tracks, next to it or below it on a narrow screen. The map follows the selected track. */
export function LiveView<Track extends SharedTrack>({ live, lineQuery, more }: LiveViewProps<Track>) {
  const [selectedId, setSelectedId] = useState<string>()
  const [isFollowed, setFollowed] = useState(false)
  const series = useQuery({
    ...lineQuery(selectedId ?? ''),
    enabled: selectedId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const firstTimeMs = live.tracks.byId.get(selectedId ?? '')?.firstTimeMs
  const earlierLine = useMemo(
    () => (series.data === undefined ? NO_LINE : lineUntil(series.data, firstTimeMs ?? Number.POSITIVE_INFINITY)),
    [series.data, firstTimeMs],
  )
  const select = useCallback((id: string) => {
    setSelectedId(id)
    setFollowed(true)
  }, [])
  const moved = useCallback(() => setFollowed(false), [])
  return (
    <Box className="live-view">
      <LiveMap
        live={live}
        selectedId={selectedId}
        isFollowed={isFollowed}
        earlierLine={earlierLine}
        onSelect={select}
        onMoved={moved}
        height="100%"
      />
      <LiveList
        live={live}
        selectedId={selectedId}
        onSelect={select}
        more={(track) => (
          <Group gap="sm" mt={4}>
            <Follow isFollowed={isFollowed} onChange={setFollowed} />
            {more?.(track)}
          </Group>
        )}
      />
    </Box>
  )
}

function Follow({ isFollowed, onChange }: { isFollowed: boolean; onChange(isFollowed: boolean): void }) {
  const { t } = useTranslation()
  return (
    <Button
      size="compact-xs"
      variant={isFollowed ? 'filled' : 'default'}
      leftSection={<LocateFixed size={12} aria-hidden />}
      aria-pressed={isFollowed}
      onClick={() => onChange(!isFollowed)}
    >
      {t('live.follow')}
    </Button>
  )
}
