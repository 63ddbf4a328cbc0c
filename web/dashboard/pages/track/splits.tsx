import { Progress, Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Split, splitsQuery } from '../../api/tracks.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { useFormat } from '../../i18n/format.ts'

/** The splits of a track, one per kilometre. */
export function Splits({ trackId, isUnderWay }: { trackId: string; isUnderWay: boolean }) {
  const { t } = useTranslation()
  const splits = useQuery({ ...splitsQuery(trackId), refetchInterval: isUnderWay ? 10_000 : false })
  return (
    <Loaded query={splits}>
      {(list) =>
        list.length > 0 && (
          <section aria-label={t('splits.title')}>
            <Title order={2} mb="sm">
              {t('splits.title')}
            </Title>
            <SplitTable splits={list} />
          </section>
        )
      }
    </Loaded>
  )
}

function SplitTable({ splits }: { splits: Split[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const fastest = Math.max(...splits.map(({ mean_speed_mps }) => mean_speed_mps))
  return (
    <Table.ScrollContainer minWidth={0} maxHeight={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table withTableBorder bg="var(--panel-background)" className="figures splits" verticalSpacing={4} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('splits.kilometre')}</Table.Th>
            <Table.Th>{t('stats.pace')}</Table.Th>
            <Table.Th aria-hidden w="25%" visibleFrom="sm" />
            <Table.Th>{t('stats.duration')}</Table.Th>
            <Table.Th>{t('stats.moving')}</Table.Th>
            <Table.Th>{t('stats.gain')}</Table.Th>
            <Table.Th>{t('stats.loss')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {splits.map((split) => (
            <Table.Tr key={split.number}>
              <Table.Th scope="row" fw={500}>
                {split.is_partial ? `${split.number} (${format.distance(split.distance_meters)})` : split.number}
              </Table.Th>
              <Table.Td>{format.pace(split.pace_sec_per_km)}</Table.Td>
              <Table.Td aria-hidden visibleFrom="sm">
                <Progress value={fastest > 0 ? (split.mean_speed_mps / fastest) * 100 : 0} size="sm" />
              </Table.Td>
              <Table.Td>{format.duration(split.duration_sec)}</Table.Td>
              <Table.Td>{format.duration(split.moving_time_sec)}</Table.Td>
              <Table.Td>{format.meters(split.elevation_gain_m)}</Table.Td>
              <Table.Td>{format.meters(split.elevation_loss_m)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
