import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Checkpoint, CourseLine } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { draftsOf } from './checkpoint-drafts.ts'
import { KIND_COLOURS, type ShownCheckpoint } from './course-layers.ts'
import { CourseMap } from './course-map.tsx'
import './course.css'

/** The checkpoints of a course for those who may not change them: on the map, and as a list beside it. */
export function CheckpointsShown({ line, checkpoints }: { line: CourseLine; checkpoints: readonly Checkpoint[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const drafts = useMemo(() => draftsOf(checkpoints), [checkpoints])
  const shown = useMemo(
    () => drafts.map(({ distanceM, ...draft }) => ({ ...draft, course_distance_m: distanceM })),
    [drafts],
  )
  return (
    <Stack gap="sm">
      <div className="checkpoint-editor">
        <CourseMap line={line} drafts={drafts} height="100%" />
        <Paper withBorder p="sm" bg="var(--panel-background)" className="checkpoint-list">
          <Title order={3} size="h4" mb="xs">
            {t('race.checkpoints')}
          </Title>
          <ol aria-label={t('race.checkpoints')}>
            {drafts.map(({ key, name, distanceM }) => (
              <Group key={key} component="li" justify="space-between" wrap="nowrap" py={4}>
                <Text size="sm">{name}</Text>
                <Text size="sm" c="dimmed" className="figures">
                  {format.distance(distanceM)}
                </Text>
              </Group>
            ))}
          </ol>
        </Paper>
      </div>
      <CourseProfile line={line} checkpoints={shown} />
    </Stack>
  )
}

const WIDTH = 1000
const HEIGHT = 130
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
/** Labels along the course; more would touch each other on a phone. */
const MAX_LABELS = 8

type CourseProfileProps = { line: CourseLine; checkpoints: readonly ShownCheckpoint[] }

/** The altitudes along a course, with its checkpoints; nothing without altitudes. */
export function CourseProfile({ line, checkpoints }: CourseProfileProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const heights = line.altitude.filter((meters) => meters !== null)
  if (heights.length < 2) return null
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)]
  const lengthM = line.distance_m.at(-1)!
  const x = (meters: number) => (meters / lengthM) * WIDTH
  const y = (meters: number) => HEIGHT - 4 - ((meters - lowest) / Math.max(50, highest - lowest)) * (HEIGHT - 16)
  const top = line.altitude
    .map((meters, i) => (meters === null ? '' : `${x(line.distance_m[i]).toFixed(1)},${y(meters).toFixed(1)}`))
    .join(' ')
  const { metersPerFar, far } = format.units
  const step = STEPS.find((one) => lengthM / (one * metersPerFar) <= MAX_LABELS) ?? 1000
  const labels = Array.from({ length: Math.floor(lengthM / (step * metersPerFar)) }, (_, i) => (i + 1) * step)
  return (
    <figure className="course-profile">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('race.profileLabel', { lowest: format.meters(lowest), highest: format.meters(highest) })}
      >
        <polygon points={`0,${HEIGHT} ${top} ${WIDTH},${HEIGHT}`} />
        <polyline points={top} />
        {checkpoints.map(({ kind, course_distance_m }) => (
          <line
            key={course_distance_m}
            x1={x(course_distance_m)}
            x2={x(course_distance_m)}
            y1={0}
            y2={HEIGHT}
            stroke={KIND_COLOURS[kind]}
          />
        ))}
      </svg>
      <div className="course-profile-axis" aria-hidden>
        {labels.map((label) => (
          <span key={label} style={{ left: `${((label * metersPerFar) / lengthM) * 100}%` }}>
            {format.number(label)}
          </span>
        ))}
      </div>
      <figcaption>
        {t('race.profileFrom', { lowest: format.meters(lowest), highest: format.meters(highest), unit: far })}
      </figcaption>
    </figure>
  )
}
