import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Checkpoint, CourseLine } from '../../api/races.ts'
import { useFormat } from '../../i18n/format.ts'
import { CourseMap } from '../../race/course-map.tsx'
import { CourseProfile } from '../../race/course-profile.tsx'
import { draftsOf } from '../../tracks/course/checkpoint-drafts.ts'
import './checkpoint-editor.css'

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
