import { Group, List, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { MapPinOff } from 'lucide-react'
import { lazy, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { colourRange, RAMP, STEADY } from '../../map/coloured-line.ts'
import { EmptyState } from '../../ui/titles.tsx'
import { Loaded } from '../components/feedback.tsx'
import { MapPlace } from '../components/map-place.tsx'
import type { OperatorTrack, Split, TrackSeries } from '../generated/types.gen.ts'
import { isPaced, useFormat } from '../i18n/format.ts'
import { type DrawnSeries, drawnSeries, indexRangeOf } from './drawn-series.ts'
import { Profile } from './profile.tsx'
import { Splits } from './splits.tsx'
import { type ColouredBy, LEAST_SPREAD, valuesOf } from './track-layers.ts'
import type { TrackMap } from './track-map.tsx'
import './track-view.css'

const MAP_HEIGHT = 'max(320px, 48dvh)'

type TrackViewProps = {
  series: TrackSeries
  splits: UseQueryResult<Split[], unknown>
  activityType: string
  isUnderWay: boolean
}

/** A track as a map, a profile and splits, which show each other's places. */
export function TrackView({ series: given, splits, activityType, isUnderWay }: TrackViewProps) {
  const { t } = useTranslation()
  const series = useMemo(() => drawnSeries(given), [given])
  const [pointed, setPointed] = useState<number>()
  const [picked, setPicked] = useState<number>()
  const [pointedSplit, setPointedSplit] = useState<Split>()
  const [selectedSplit, setSelectedSplit] = useState<Split>()
  if (series.time_ms.length === 0) {
    return (
      <EmptyState icon={MapPinOff} title={t('track.noPoints')}>
        {t('track.noPointsHelp')}
      </EmptyState>
    )
  }
  const within = (index: number | undefined) =>
    index !== undefined && index < series.time_ms.length ? index : undefined
  const cursor = within(pointed) ?? within(picked)
  const shownSplit = pointedSplit ?? selectedSplit
  const highlight = shownSplit && indexRangeOf(series.time_ms, shownSplit)
  const hasAltitudes = series.extremes.max_altitude_m !== undefined
  const places = { series, activityType, cursor, highlight, onCursor: setPointed, onPick: setPicked }
  return (
    <div className="track-view-room">
      <div className="track-view">
        <Stack gap="sm" miw={0}>
          <ColouredMap {...places} isUnderWay={isUnderWay} hasAltitudes={hasAltitudes} />
          <Profile {...places} />
        </Stack>
        <Loaded query={splits}>
          {(list) => (
            <Splits
              splits={list}
              activityType={activityType}
              hasAltitudes={hasAltitudes}
              cursorMs={cursor === undefined ? undefined : series.time_ms[cursor]}
              selected={selectedSplit?.number}
              onPoint={setPointedSplit}
              onSelect={(split) => setSelectedSplit((before) => (before?.number === split.number ? undefined : split))}
            />
          )}
        </Loaded>
      </div>
    </div>
  )
}

type ColouredMapProps = Omit<Parameters<typeof TrackMap>[0], 'colouredBy' | 'height' | 'series'> & {
  series: DrawnSeries
  hasAltitudes: boolean
}

/** The map of a track, its line coloured by pace or speed, or by elevation where that is known. */
function ColouredMap({ series, activityType, hasAltitudes, ...map }: ColouredMapProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<ColouredBy>('rate')
  const colouredBy = hasAltitudes ? chosen : 'rate'
  const rate = { value: 'rate', label: t(isPaced(activityType) ? 'stats.pace' : 'track.speed') }
  return (
    <>
      {series.time_ms.length > 1 && (
        <Group justify="space-between">
          {hasAltitudes ? (
            <SegmentedControl
              size="xs"
              aria-label={t('track.colouredBy')}
              value={colouredBy}
              onChange={(value) => setChosen(value as ColouredBy)}
              data={[
                rate,
                { value: 'elevation', label: t('track.elevation') },
                { value: 'gradient', label: t('track.gradient') },
              ]}
            />
          ) : (
            <Text size="sm">{rate.label}</Text>
          )}
          <ColourLegend series={series} colouredBy={colouredBy} activityType={activityType} />
        </Group>
      )}
      <MapPlace height={MAP_HEIGHT}>
        <LazyTrackMap
          {...map}
          series={series}
          activityType={activityType}
          colouredBy={colouredBy}
          height={MAP_HEIGHT}
        />
      </MapPlace>
    </>
  )
}

/** The map of a track. The profile and the figures do not wait for its code. */
const LazyTrackMap = lazy(async () => ({ default: (await import('./track-map.tsx')).TrackMap }))

type ColourLegendProps = { series: DrawnSeries; colouredBy: ColouredBy; activityType: string }

/** The legend for the colours of a line. A line of one colour has one value. */
function ColourLegend({ series, colouredBy, activityType }: ColourLegendProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const values = valuesOf(series, colouredBy)
  const said = {
    rate: (mps: number) => format.rate(activityType, mps),
    elevation: format.meters,
    gradient: format.gradient,
  }[colouredBy]
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  const range = colourRange(values, LEAST_SPREAD[colouredBy])
  if (range === undefined) {
    const middle = known.sort((a, b) => a - b)[known.length >> 1]
    return (
      <Group gap="xs" wrap="nowrap" className="figures">
        <Swatch background={STEADY} />
        <Text size="sm">{t('track.steady', { value: said(middle) })}</Text>
      </Group>
    )
  }
  // Values beyond the ends of the ramp have the colour of the end. A pace falls where the speed rises.
  const isBelow = known.some((value) => value < range.from)
  const isAbove = known.some((value) => value > range.to)
  const signs = colouredBy === 'rate' && isPaced(activityType) ? ['≥ ', '≤ '] : ['≤ ', '≥ ']
  return (
    <Group gap="xs" wrap="nowrap" className="figures">
      <Text size="sm">
        {isBelow && signs[0]}
        {said(range.from)}
      </Text>
      <Swatch background={`linear-gradient(to right, ${RAMP.join(', ')})`} />
      <Text size="sm">
        {isAbove && signs[1]}
        {said(range.to)}
      </Text>
    </Group>
  )
}

function Swatch({ background }: { background: string }) {
  return (
    <div
      aria-hidden
      style={{ width: 'clamp(48px, 14vw, 140px)', height: 8, borderRadius: 4, background, forcedColorAdjust: 'none' }}
    />
  )
}

type PausesProps = { pauses: OperatorTrack['pauses']; stops: TrackSeries['stops'] }

/** The declared pauses of a track and its long stops, in order; nothing without any. */
export function Pauses({ pauses, stops }: PausesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const periodOf = (fromMs: number, toMs: number) => ({
    from: format.dateTime(fromMs),
    to: format.time(toMs),
    duration: format.duration((toMs - fromMs) / 1000),
  })
  const all = [
    ...pauses.map(({ from, to }) => ({
      fromMs: Date.parse(from),
      said:
        to === null
          ? t('pauses.since', { from: format.dateTime(from) })
          : t('pauses.fromTo', periodOf(Date.parse(from), Date.parse(to))),
    })),
    ...stops.map(({ from_ms: fromMs, to_ms: toMs, distance_meters: meters }) => ({
      fromMs,
      said: t('pauses.stop', { ...periodOf(fromMs, toMs), distance: format.distance(meters) }),
    })),
  ].sort((a, b) => a.fromMs - b.fromMs)
  if (all.length === 0) return null
  return (
    <section aria-label={t('pauses.title')}>
      <Title order={2} mb="sm">
        {t('pauses.title')}
      </Title>
      <List className="figures">
        {all.map(({ fromMs, said }) => (
          <List.Item key={`${fromMs} ${said}`}>{said}</List.Item>
        ))}
      </List>
    </section>
  )
}
