import { Badge, Container, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link2Off, MapPin } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { ApiError } from '../../api/api-error.ts'
import { apiPaths } from '../../api/api-paths.ts'
import { type SharedTrack, type SharedView, sharedSeriesQuery, sharedViewQuery } from '../../api/shares.ts'
import { Failure } from '../../feedback/failure.tsx'
import { Loaded, Loading } from '../../feedback/loaded.tsx'
import { useFormat } from '../../i18n/format.ts'
import { LiveStatus } from '../../live/live-status.tsx'
import { LiveView } from '../../live/live-view.tsx'
import { useLiveTracks } from '../../live/use-live-tracks.ts'
import { Brand } from '../../shell/brand.tsx'
import { Preferences } from '../../shell/preferences.tsx'
import { StateBadge } from '../../tracks/state-badge.tsx'
import { TrackView } from '../../tracks/track-view.tsx'
import { shareToken } from './share-token.ts'

/** Refetch interval of the line of a track in progress. */
const REFRESH_MS = 4000

/** The page for spectators: a live event or a live track, without signing in. */
export function SharePage() {
  const [token] = useState(() => shareToken(location))
  const { t } = useTranslation()
  const view = useQuery({ ...sharedViewQuery(token), retry: false })
  return (
    <Container size={1400} py="md" style={{ '--around-live-view': '140px' }}>
      <header>
        <Group justify="space-between" mb="md">
          <Brand />
          <Group gap={4}>
            <Preferences />
          </Group>
        </Group>
      </header>
      <main id="content">
        {view.isError && isOver(view.error) ? (
          <Over />
        ) : view.data !== undefined ? (
          <Shared token={token} view={view.data} onRefused={() => void view.refetch()} />
        ) : !view.isError ? (
          <Loading />
        ) : (
          <>
            <PageTitle title={t('share.title')} />
            <Failure error={view.error} onRetry={() => void view.refetch()} />
          </>
        )}
      </main>
    </Container>
  )
}

function Shared({ token, view, onRefused }: { token: string; view: SharedView; onRefused(): void }) {
  const { t } = useTranslation()
  const live = useLiveTracks<SharedTrack>(apiPaths.sharedLive(token))
  const refused = useRef(onRefused)
  refused.current = onRefused
  useEffect(() => {
    // A stream does not tell why it was refused. The view does.
    if (live.state === 'closed') refused.current()
  }, [live.state])
  if (live.state === 'ended') return <Over />
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <PageTitle title={view.title} />
          {view.kind === 'track' && <Badge variant="default">{view.event.name}</Badge>}
        </Group>
        <LiveStatus state={live.state} currentAtMs={live.currentAtMs} />
      </Group>
      {view.track_id !== null ? (
        <SharedOne token={token} track={live.tracks.byId.get(view.track_id)?.track} trackId={view.track_id} />
      ) : live.state === 'live' && live.tracks.byId.size === 0 ? (
        <EmptyState icon={MapPin} title={t('share.nothingYet')}>
          {t('share.nothingYetHelp')}
        </EmptyState>
      ) : (
        <LiveView
          live={live}
          lineQuery={(id) => sharedSeriesQuery(token, id)}
          more={(track) => <Figures track={track} />}
        />
      )}
    </Stack>
  )
}

type SharedOneProps = { token: string; trackId: string; track: SharedTrack | undefined }

function SharedOne({ token, trackId, track }: SharedOneProps) {
  const isUnderWay = track !== undefined && track.state !== 'stopped'
  const series = useQuery({
    ...sharedSeriesQuery(token, trackId),
    refetchInterval: isUnderWay ? REFRESH_MS : false,
  })
  return (
    <>
      {track !== undefined && (
        <Group gap="sm">
          <StateBadge state={track.state} />
          <Figures track={track} />
        </Group>
      )}
      <Loaded query={series}>{(found) => <TrackView series={found} isUnderWay={isUnderWay} />}</Loaded>
    </>
  )
}

function Figures({ track }: { track: SharedTrack }) {
  const format = useFormat()
  if (track.stats === null) return null
  return (
    <Text size="sm" className="figures">
      {format.distance(track.stats.distance_meters)} · {format.duration(track.stats.duration_sec)} ·{' '}
      {format.pace(track.stats.pace_sec_per_km)} · +{format.meters(track.stats.elevation_gain_m)}
    </Text>
  )
}

function Over() {
  const { t } = useTranslation()
  return (
    <Stack>
      <PageTitle title={t('share.over')} />
      <EmptyState icon={Link2Off} title={t('share.overTitle')}>
        {t('share.overHelp')}
      </EmptyState>
    </Stack>
  )
}

function isOver(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404, 410].includes(error.status)
}
