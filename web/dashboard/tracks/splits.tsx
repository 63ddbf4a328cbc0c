import { Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Split } from '../generated/types.gen.ts'
import { isPaced, useFormat } from '../i18n/format.ts'
import './track-view.css'

type SplitsProps = {
  splits: readonly Split[]
  activityType: string
  /** False for a track without altitudes, which has no climbs. */
  hasAltitudes: boolean
  /** Time at the cursor on map and profile; undefined without one. */
  cursorMs: number | undefined
  selected: number | undefined
  /** A split is pointed at or has the focus; undefined once none is. */
  onPoint(split: Split | undefined): void
  /** A split was chosen, or given up if it is the chosen one. */
  onSelect(split: Split): void
}

/** The splits of a track, by kilometre or mile. Map and profile show the one that is pointed at. */
export function Splits({ splits, activityType, hasAltitudes, cursorMs, selected, onPoint, onSelect }: SplitsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (splits.length === 0) return null
  const paced = isPaced(activityType)
  const fastest = Math.max(...splits.map(({ mean_speed_mps }) => mean_speed_mps))
  const rows = { activityType, hasAltitudes, fastest, onPoint, onSelect }
  return (
    <section aria-label={t('splits.title')} className="splits-section">
      <Title order={2} mb="sm">
        {t('splits.title')}
      </Title>
      <Table.ScrollContainer
        minWidth={0}
        maxHeight="var(--splits-height)"
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      >
        <Table
          withTableBorder
          bg="var(--panel-background)"
          className="figures splits"
          verticalSpacing={2}
          horizontalSpacing="xs"
          stickyHeader
          onMouseLeave={() => onPoint(undefined)}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{format.units.far}</Table.Th>
              <Table.Th visibleFrom="xs">{t('splits.time')}</Table.Th>
              <Table.Th>{t(paced ? 'stats.pace' : 'track.speed')}</Table.Th>
              <Table.Th>{t('splits.moving')}</Table.Th>
              {hasAltitudes && <Table.Th>{t('splits.gain')}</Table.Th>}
              {hasAltitudes && <Table.Th>{t('splits.loss')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {splits.map((split) => (
              <SplitRow
                key={split.number}
                split={split}
                isSelected={selected === split.number}
                isAtCursor={isAt(split, cursorMs)}
                {...rows}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

type SplitRowProps = Omit<SplitsProps, 'splits' | 'selected' | 'cursorMs'> & {
  split: Split
  fastest: number
  isSelected: boolean
  isAtCursor: boolean
}

function SplitRow({ split, fastest, isSelected, isAtCursor, activityType, hasAltitudes, ...on }: SplitRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { number, distance_meters, duration_sec, moving_time_sec, mean_speed_mps } = split
  const name = split.is_partial ? format.distance(distance_meters) : format.count(number)
  return (
    <Table.Tr
      onMouseEnter={() => on.onPoint(split)}
      onClick={() => on.onSelect(split)}
      data-selected={isSelected || undefined}
      data-at-cursor={isAtCursor || undefined}
    >
      <Table.Th scope="row" fw={500}>
        <UnstyledButton
          fz="sm"
          fw={500}
          aria-pressed={isSelected}
          aria-label={t('splits.show', { split: split.is_partial ? name : `${number} ${format.units.far}` })}
          onFocus={() => on.onPoint(split)}
          onBlur={() => on.onPoint(undefined)}
          onClick={(event) => {
            event.stopPropagation()
            on.onSelect(split)
          }}
        >
          {name}
        </UnstyledButton>
      </Table.Th>
      <Table.Td visibleFrom="xs">{format.duration(duration_sec)}</Table.Td>
      <Table.Td className="split-rate">
        <Text span inherit>
          {format.rate(activityType, mean_speed_mps)}
        </Text>
        <div
          aria-hidden
          className="split-bar"
          style={{ width: `${fastest > 0 ? (mean_speed_mps / fastest) * 100 : 0}%` }}
        />
      </Table.Td>
      <Table.Td>{format.rate(activityType, moving_time_sec > 0 ? distance_meters / moving_time_sec : 0)}</Table.Td>
      {hasAltitudes && <Table.Td>{format.meters(split.elevation_gain_m)}</Table.Td>}
      {hasAltitudes && <Table.Td>{format.meters(split.elevation_loss_m)}</Table.Td>}
    </Table.Tr>
  )
}

function isAt({ start_ts, end_ts }: Split, timeMs: number | undefined): boolean {
  return timeMs !== undefined && timeMs >= Date.parse(start_ts) && timeMs < Date.parse(end_ts)
}
