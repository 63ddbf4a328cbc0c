import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { NotAllowed, useRights } from '../access/rights.tsx'
import { BinTable, EmptyBin } from '../components/bin-table.tsx'
import { Loaded } from '../components/feedback.tsx'
import { operatorGetBinOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Bin } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** Lists the deleted things that operators can restore: events, and tracks of events that are there. */
export function BinPage() {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const bin = useQuery({ ...operatorGetBinOptions(), enabled: canEdit, staleTime: 0 })
  if (!canEdit) return <NotAllowed />
  return (
    <>
      <PageTitle title={t('bin.title')} />
      <Loaded query={bin}>{(found) => <Contents {...found} />}</Loaded>
    </>
  )
}

function Contents({ days, events, tracks }: Bin) {
  const { t } = useTranslation()
  const { canGovern } = useRights()
  const format = useFormat()
  const ofTracks = tracks.map(({ event_name, start_ts, points_count, ...track }) => ({
    ...track,
    name: format.trackName(track.name, start_ts),
    about: [
      event_name,
      format.dateTime(start_ts),
      t('events.points', { count: points_count, figure: format.count(points_count) }),
    ].join(' · '),
  }))
  if (events.length + tracks.length === 0) return <EmptyBin days={days} />
  return (
    <Stack>
      <Text c="dimmed" maw={720}>
        {t('bin.help', { count: days })}
      </Text>
      {events.length > 0 && <BinTable title={t('events.title')} kind="event" things={events} canChange={canGovern} />}
      {tracks.length > 0 && <BinTable title={t('bin.tracks')} kind="track" things={ofTracks} canChange />}
    </Stack>
  )
}
