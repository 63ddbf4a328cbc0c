import { Table, Text, Title, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
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
  if (splits.length === 0) return null
  const paced = isPaced(activityType)
  const fastest = Math.max(...splits.map(({ mean_speed_mps }) => mean_speed_mps))
  const rows = { activityType, hasAltitudes, fastest, onPoint, onSelect }
  return (
    <SplitsTable
      heading={
        <Title order={2} mb="sm">
          {t('splits.title')}
        </Title>
      }
      columns={
        <>
          <Table.Th visibleFrom="xs">{t('splits.time')}</Table.Th>
          <Table.Th>{t(paced ? 'stats.pace' : 'track.speed')}</Table.Th>
          <Table.Th>{t('splits.moving')}</Table.Th>
          {hasAltitudes && <Table.Th>{t('splits.gain')}</Table.Th>}
          {hasAltitudes && <Table.Th>{t('splits.loss')}</Table.Th>}
        </>
      }
      onLeave={() => onPoint(undefined)}
    >
      {splits.map((split) => (
        <SplitRow
          key={split.number}
          split={split}
          isSelected={selected === split.number}
          isAtCursor={isAt(split, cursorMs)}
          {...rows}
        />
      ))}
    </SplitsTable>
  )
}

type SplitsTableProps = {
  heading: ReactNode
  /** The headings beside the distance's. */
  columns: ReactNode
  /** Rows of the table. */
  children: ReactNode
  className?: string
  onLeave?(): void
}

/** The table of splits, which scrolls below its headings. */
export function SplitsTable({ heading, columns, children, className = '', onLeave }: SplitsTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section aria-label={t('splits.title')} className={`splits-section ${className}`}>
      {heading}
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
          onMouseLeave={onLeave}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{format.units.far}</Table.Th>
              {columns}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

type SplitNameProps = {
  label: string
  isPressed?: boolean
  onPoint?(isPointed: boolean): void
  onSelect(): void
  children: ReactNode
}

/** The first cell of a split: its place as a button, so that keyboards choose it as well. */
export function SplitName({ label, isPressed, onPoint, onSelect, children }: SplitNameProps) {
  return (
    <Table.Th scope="row" fw={500}>
      <UnstyledButton
        fz="sm"
        fw={500}
        aria-pressed={isPressed}
        aria-label={label}
        onFocus={() => onPoint?.(true)}
        onBlur={() => onPoint?.(false)}
        onClick={(event) => {
          event.stopPropagation()
          onSelect()
        }}
      >
        {children}
      </UnstyledButton>
    </Table.Th>
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
      <SplitName
        label={t('splits.show', { split: split.is_partial ? name : `${number} ${format.units.far}` })}
        isPressed={isSelected}
        onPoint={(isPointed) => on.onPoint(isPointed ? split : undefined)}
        onSelect={() => on.onSelect(split)}
      >
        {name}
      </SplitName>
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
