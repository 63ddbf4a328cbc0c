import { Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { lazy, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MapPlace } from '../components/map-place.tsx'
import type { Course } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { useChartColours } from '../tracks/band-options.ts'
import { PointSlider, ProfileBand } from '../tracks/profile.tsx'
import { elevationBand, gapBand, gapWord } from './comparison-bands.ts'
import { ComparedSplits, ComparisonSummary } from './comparison-summary.tsx'
import { valueAt } from './gap-over-distance.ts'
import { LETTERS, type Side, SideMark, useSideColours } from './sides.tsx'
import { type Compared, type Comparison, nearestStep, useComparison } from './use-comparison.ts'
import '../tracks/track-view.css'

const MAP_HEIGHT = 'max(280px, 42dvh)'
const BAND_PX = 150
const BAND_WITH_AXIS_PX = 182

type ComparisonViewProps = {
  first: Compared
  second: Compared
  course: Course | null
  isByClock: boolean
  onByClock(isByClock: boolean): void
}

/** Two tracks on one map, in one profile and in splits, with the time between them at each place of their way. */
export function ComparisonView({ first, second, course, isByClock: isAsked, onByClock }: ComparisonViewProps) {
  const { t } = useTranslation()
  const isAtOneTime = overlap(first, second)
  const isByClock = isAsked && isAtOneTime
  const comparison = useComparison(first, second, course, isByClock)
  const { gap, ways, series, splits } = comparison
  const [pointed, setPointed] = useState<number>()
  const [picked, setPicked] = useState<number>()
  const within = (step: number | undefined) => (step !== undefined && step < gap.meters.length ? step : undefined)
  const cursor = within(pointed) ?? within(picked)
  const words = useStepWords(comparison)
  const stepAt = useCallback(
    (at: { side: Side; index: number } | undefined) => {
      const meters = at === undefined ? null : ways[at.side].meters[at.index]
      return meters === null || gap.meters.length === 0 ? undefined : nearestStep(gap.meters, meters)
    },
    [ways, gap],
  )
  const onPoint = useCallback((at: Parameters<typeof stepAt>[0]) => setPointed(stepAt(at)), [stepAt])
  const onPick = useCallback((at: Parameters<typeof stepAt>[0]) => setPicked(stepAt(at)), [stepAt])
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="md">
        <ComparisonSummary pair={[first, second]} comparison={comparison} isByClock={isByClock} />
        {isAtOneTime && (
          <SegmentedControl
            size="xs"
            aria-label={t('comparison.countedFrom')}
            value={isByClock ? 'clock' : 'own-start'}
            onChange={(value) => onByClock(value === 'clock')}
            data={[
              { value: 'own-start', label: t('comparison.ownStart') },
              { value: 'clock', label: t('comparison.clock') },
            ]}
          />
        )}
      </Group>
      <div className="track-view-room">
        <div className="track-view">
          <Stack gap="sm" miw={0}>
            <MapPlace height={MAP_HEIGHT}>
              <LazyComparisonMap
                series={series}
                places={[placeAt(comparison, 0, cursor), placeAt(comparison, 1, cursor)]}
                readout={cursor === undefined ? undefined : words(cursor)}
                onPoint={onPoint}
                onPick={onPick}
                height={MAP_HEIGHT}
              />
            </MapPlace>
            <ComparisonCharts
              comparison={comparison}
              cursor={cursor}
              words={words}
              onCursor={setPointed}
              onPick={setPicked}
            />
          </Stack>
          <ComparedSplits
            splits={splits}
            cursorM={cursor === undefined ? undefined : gap.meters[cursor]}
            onPick={({ toM }) => setPicked(nearestStep(gap.meters, toM))}
          />
        </div>
      </div>
    </>
  )
}

/** The code of the map, which comes while the tracks do. */
const mapCode = import('./comparison-map.tsx')
// The place of the map tells it.
mapCode.catch(() => {})

/** The map of both tracks. Charts and figures do not wait for its code. */
const LazyComparisonMap = lazy(async () => ({ default: (await mapCode).ComparisonMap }))

/** Tells whether two tracks were recorded at the same time, so that a clock counts for both. */
function overlap(first: Compared, second: Compared): boolean {
  const [[a, toA], [b, toB]] = [first, second].map(({ series: { time_ms } }) => [time_ms.at(0), time_ms.at(-1)])
  return a !== undefined && b !== undefined && a <= toB! && b <= toA!
}

function placeAt({ gap }: Comparison, side: Side, step: number | undefined): number | null {
  return step === undefined ? null : gap.passages[side][step]
}

type ChartsProps = {
  comparison: Comparison
  cursor: number | undefined
  words(step: number): string
  onCursor(step: number | undefined): void
  onPick(step: number): void
}

/** The time between the tracks and their altitudes over the way, with the values at one place. */
function ComparisonCharts({ comparison, cursor, words, onCursor, onPick }: ChartsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const chartColours = useChartColours()
  const colours = useSideColours()
  const { gap, series } = comparison
  const bands = useMemo(() => {
    const look = { format, t, colours, ink: chartColours.text }
    return [gapBand(gap, look), elevationBand(gap, series, look)].filter((band) => band !== undefined)
  }, [gap, series, format, t, colours, chartColours])
  const x = useMemo(() => gap.meters.map((meters) => meters / format.units.metersPerFar), [gap, format])
  if (bands.length === 0) return null
  return (
    <Paper withBorder p="md" bg="var(--panel-background)" component="section" aria-label={t('comparison.charts')}>
      <Stack gap={4}>
        {bands.map(({ name, title, ...band }, index) => {
          const hasAxis = index === bands.length - 1
          return (
            <div key={name}>
              <Group gap="sm">
                <Title order={3} size="sm">
                  {title}
                </Title>
                <Text size="sm" c="dimmed">
                  {name === 'gap' ? t('comparison.gapHelp') : null}
                </Text>
                {name === 'elevation' && (
                  <Group gap="sm" fz="sm">
                    <SideMark side={0} />
                    <SideMark side={1} />
                  </Group>
                )}
              </Group>
              <ProfileBand
                {...band}
                x={x}
                label={title}
                format={format}
                colours={chartColours}
                marks={NO_MARKS}
                along="distance"
                hasAxis={hasAxis}
                heightPx={hasAxis ? BAND_WITH_AXIS_PX : BAND_PX}
                cursor={cursor}
                highlight={undefined}
                onCursor={onCursor}
                onPick={onPick}
              />
            </div>
          )
        })}
      </Stack>
      <PointSlider last={gap.meters.length - 1} words={words} cursor={cursor} onPick={onPick} />
    </Paper>
  )
}

const NO_MARKS: never[] = []

/** Returns the values at a step of the way in words: where, when each was there, and who is ahead. */
function useStepWords({ gap, series }: Comparison): (step: number) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return useCallback(
    (step) => {
      const gapSec = gap.gapSec[step]
      const passed = ([0, 1] as const).flatMap((side) => {
        const sec = gap.elapsedSec[side][step]
        return sec === null || sec < 0 ? [] : [`${LETTERS[side]} ${format.duration(sec)}`]
      })
      const heights = ([0, 1] as const).map((side) => valueAt(series[side].altitude_smoothed, gap.passages[side][step]))
      const height = heights[0] ?? heights[1]
      return [
        format.distance(gap.meters[step]),
        ...passed,
        ...(gapSec === null
          ? []
          : [
              Math.round(gapSec) === 0
                ? t('comparison.levelHere')
                : t('comparison.aheadHere', { gap: gapWord(gapSec, format) }),
            ]),
        ...(height === null ? [] : [format.meters(height)]),
      ].join(' · ')
    },
    [gap, series, format, t],
  )
}
